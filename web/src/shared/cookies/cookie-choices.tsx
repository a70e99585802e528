import { useOffersText } from '@/i18n/offers';
import { requestNotice } from './notice-request';

/** Lets visitors change their consent to advertisers' cookies. */
export default function CookieChoices({ className }: { className: string }) {
  const say = useOffersText();
  return (
    <button type="button" className={className} onClick={requestNotice}>
      {say('choices')}
    </button>
  );
}
