import type { Offers } from '@/lib/offers';
import { FriendPromo } from './friend-promo';
import { Suggestion } from './suggestion';

/** What leads to other sites, below the comments. */
export default function Elsewhere({ suggestion, friend }: Offers) {
  return (
    <div className="flex flex-col gap-8 px-4 pt-8 empty:hidden sm:px-0">
      {suggestion && <Suggestion {...suggestion} />}
      {friend && <FriendPromo {...friend} />}
    </div>
  );
}
