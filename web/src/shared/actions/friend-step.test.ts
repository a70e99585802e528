import { expect, it } from 'vitest';
import { friendStep } from './friend-step';

it('a friend is asked, taken back, accepted and let go', () => {
  expect(friendStep('none')).toMatchObject({ section: 'add', next: 'requested' });
  expect(friendStep('requested')).toMatchObject({ section: 'rem', next: 'none' });
  expect(friendStep('incoming')).toMatchObject({ section: 'accept', next: 'accepted' });
  expect(friendStep('accepted')).toMatchObject({ section: 'rem', next: 'none' });
});
