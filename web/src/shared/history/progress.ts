/** The viewer's watch progress per video: a guest's from this browser, a member's from the server. */
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';
import { shareOf } from './stored';
import { useGuestHistoryPart } from './guest-history';

/** A member's progress, from 0 to 1; null for guests. Empty until loaded on a page not sent to a guest. */
const ofMember = createStore<ReadonlyMap<number, number> | null>(
  sent().guest === false ? new Map() : null,
);

export const setProgress = ofMember.write;

/** Whether the viewer has a session, as far as this page knows. */
export const useIsMember = () => ofMember.usePart((shares) => shares !== null);

/** Updates a member's progress in this tab. */
export function noteProgress(id: number, share: number): void {
  const known = ofMember.read();
  if (known) ofMember.write(new Map(known).set(id, Math.min(1, share)));
}

/** Progress from 0 to 1; 0 if unknown. */
export function useProgress(id: number): number {
  const member = ofMember.usePart((shares) => (shares ? (shares.get(id) ?? 0) : null));
  const guest = useGuestHistoryPart(({ items }) => {
    const item = items.find(({ video }) => video.video_id === id);
    return item ? shareOf(item) : 0;
  });
  return member ?? guest;
}
