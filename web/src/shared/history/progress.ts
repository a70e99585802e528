/** How much of each video the viewer saw: a guest's from this browser, a member's from the server. */
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';
import { shareOf } from './stored';
import { useGuestHistoryPart } from './guest-history';

/** Of the member, from 0 to 1; null for guests. A page that was not sent to a guest waits for the member's. */
const ofMember = createStore<ReadonlyMap<number, number> | null>(
  sent().guest === false ? new Map() : null,
);

export const setProgress = ofMember.write;

/** Whether the viewer has a session, as far as this page knows. */
export const useIsMember = () => ofMember.usePart((shares) => shares !== null);

/** The member sees it in this tab. */
export function noteProgress(id: number, share: number): void {
  const known = ofMember.read();
  if (known) ofMember.write(new Map(known).set(id, Math.min(1, share)));
}

/** From 0 to 1; 0 where nothing is known. */
export function useProgress(id: number): number {
  const member = ofMember.usePart((shares) => (shares ? (shares.get(id) ?? 0) : null));
  const guest = useGuestHistoryPart(({ items }) => {
    const item = items.find(({ video }) => video.video_id === id);
    return item ? shareOf(item) : 0;
  });
  return member ?? guest;
}
