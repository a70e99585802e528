import { useState } from 'react';
import type { Offers } from '@/lib/offers';
import { mayAdvertise } from '@/shared/cookies/dismissal';
import { FriendPromo } from './friend-promo';
import { Suggestion } from './suggestion';

/**
 * Links to other sites, shown below the comments. Some of them make requests to these sites, so they are not shown to visitors who
 * refused advertisements.
 */
export default function Elsewhere({ suggestion, friend }: Offers) {
  const [isAllowed] = useState(mayAdvertise);
  if (!isAllowed) return null;
  return (
    <div className="flex flex-col gap-8 px-4 pt-8 empty:hidden sm:px-0">
      {suggestion && <Suggestion {...suggestion} />}
      {friend && <FriendPromo {...friend} />}
    </div>
  );
}
