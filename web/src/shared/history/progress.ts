/** The viewer's watch progress for each video. A guest's comes from this browser, a member's from the server. */
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';
import { shareOf } from './stored';
import { useGuestHistoryPart } from './guest-history';

/** A member's progress from 0 to 1, or null for guests. On a page that was not sent to a guest, it is empty until loaded. */
const ofMember = createStore<ReadonlyMap<number, number> | null>(
  sent().guest === false ? new Map() : null,
);

export const setProgress = ofMember.write;

/** Returns whether the viewer has a session, as far as this page knows. */
export const useIsMember = () => ofMember.usePart((shares) => shares !== null);

/** Updates a member's progress in this tab. */
export function noteProgress(id: number, share: number): void {
  const known = ofMember.read();
  if (known) ofMember.write(new Map(known).set(id, Math.min(1, share)));
}

/** Returns the progress from 0 to 1, or 0 if it is unknown. */
export function useProgress(id: number): number {
  const member = ofMember.usePart((shares) => (shares ? (shares.get(id) ?? 0) : null));
  const guest = useGuestHistoryPart(({ items }) => {
    const item = items.find(({ video }) => video.video_id === id);
    return item ? shareOf(item) : 0;
  });
  return member ?? guest;
}
