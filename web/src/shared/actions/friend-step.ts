/** Chooses the friend button's action from the relation between two members. This module is pure. */
import type { MemberState } from './member-state';

export interface FriendStep {
  label: 'addFriend' | 'cancelRequest' | 'accept' | 'unfriend';
  section: 'add' | 'accept' | 'rem';
  next: MemberState['friend'];
  done: 'didRequest' | 'didCancel' | 'didAccept' | 'didUnfriend';
}

const STEPS: Record<MemberState['friend'], FriendStep> = {
  none: { label: 'addFriend', section: 'add', next: 'requested', done: 'didRequest' },
  requested: { label: 'cancelRequest', section: 'rem', next: 'none', done: 'didCancel' },
  incoming: { label: 'accept', section: 'accept', next: 'accepted', done: 'didAccept' },
  accepted: { label: 'unfriend', section: 'rem', next: 'none', done: 'didUnfriend' },
};

export const friendStep = (friend: MemberState['friend']): FriendStep => STEPS[friend];
