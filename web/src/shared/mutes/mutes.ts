/** The viewer's mutes. A guest's are in local storage. A member's are on the server, with a local copy for the first page. */
import type { Schema } from '@/api/call';
import { limits } from '@/lib/limits';
import { sent } from '@/lib/sent';
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';
import { setMuting } from '@/search/unmuted';
import { guestHistory } from '@/shared/history/guest-history';
import { firstOf, mutingOf, NOTHING_MUTED, STORED, isMutes, type Mutes } from './rules';

const { guest: GUEST, member: MEMBER } = STORED;

/** A page that was not sent to a guest is assumed to be a member's until more is known. */
const store = createStore({
  ofMember: sent().guest === false,
  mutes: readStored(sent().guest === false ? MEMBER : GUEST, isMutes, NOTHING_MUTED),
});

function show(ofMember: boolean, mutes: Mutes): void {
  store.write({ ofMember, mutes });
  tell();
}

/** Tells the calls about the current mutes. */
function tell(): void {
  const { ofMember, mutes } = store.read();
  const most = limits();
  const watched = () =>
    guestHistory()
      .items.slice(0, most.watched)
      .map(({ video }) => video.video_id);
  setMuting(mutingOf(firstOf(mutes, most.mutes), ofMember ? null : watched));
}

tell();

addEventListener('storage', ({ key }) => {
  const name = store.read().ofMember ? MEMBER : GUEST;
  if (key === name || key === null)
    show(store.read().ofMember, readStored(name, isMutes, NOTHING_MUTED));
});

export const useMutes = () => store.usePart(({ mutes }) => mutes);

export const guestMutes = (): Mutes => readStored(GUEST, isMutes, NOTHING_MUTED);

export function changeGuestMutes(change: (mutes: Mutes) => Mutes): void {
  const changed = change(guestMutes());
  writeStored(GUEST, changed);
  show(false, changed);
}

/** Sets the logged-in member's mutes, or null for a guest. */
export function setMemberMutes(mutes: Schema<'MutesAnswer'> | null): void {
  writeStored(MEMBER, mutes ?? NOTHING_MUTED);
  show(mutes !== null, mutes ?? guestMutes());
}
