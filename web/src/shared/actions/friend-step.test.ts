import { expect, it } from 'vitest';
import { friendStep } from './friend-step';

it('a friend is requested, cancelled, accepted and removed', () => {
  expect(friendStep('none')).toMatchObject({ section: 'add', next: 'requested' });
  expect(friendStep('requested')).toMatchObject({ section: 'rem', next: 'none' });
  expect(friendStep('incoming')).toMatchObject({ section: 'accept', next: 'accepted' });
  expect(friendStep('accepted')).toMatchObject({ section: 'rem', next: 'none' });
});
