import { useOffersText } from '@/i18n/offers';
import { button } from '@/ui/button';
import CookieChoices from './cookie-choices';

/** Information about advertisers' cookies, if there are any. */
export default function AdCookies() {
  const say = useOffersText();
  return (
    <>
      <p>{say('cookies')}</p>
      <CookieChoices className={`${button.plain} min-h-11 self-start`} />
    </>
  );
}
