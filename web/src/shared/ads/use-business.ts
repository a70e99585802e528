/** Ads and offers for this visitor. A member with premium who logs in on this page sees no more of them. */
import type { Ads } from '@/lib/ads';
import type { Offers } from '@/lib/offers';
import { sent } from '@/lib/sent';
import { useMe } from '@/shared/account/use-me';

export function useBusiness(): { ads?: Ads | undefined; offers?: Offers | undefined } {
  const isPremium = useMe()?.is_premium;
  const { ads, offers } = sent();
  if (!isPremium) return { ads, offers };
  // This is what the server sends to such a member (`site/src/business.rs`).
  const { trending, partners } = offers ?? {};
  return {
    offers: trending === undefined ? undefined : { trending, ...(partners && { partners }) },
  };
}
