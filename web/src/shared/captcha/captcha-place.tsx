import type { Captcha } from './use-captcha';

/** Room for a provider that wants to be seen; nothing where it doesn't. */
export function CaptchaPlace({ captcha: { setPlace } }: { captcha: Captcha }) {
  return <div ref={setPlace} className="empty:hidden" />;
}
