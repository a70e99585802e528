// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { guestVote, storeGuestVote } from './guest-votes';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: new Date('2026-03-10T23:59:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('stores and removes votes by object', () => {
  storeGuestVote('video 1', 1);
  storeGuestVote('album 1', -1);
  expect([guestVote('video 1'), guestVote('album 1'), guestVote('video 2')]).toEqual([1, -1, 0]);
  storeGuestVote('video 1', 0);
  expect([guestVote('video 1'), guestVote('album 1')]).toEqual([0, -1]);
});

it('expires at the end of the day, like on the server', () => {
  storeGuestVote('video 1', 1);
  vi.setSystemTime(new Date('2026-03-11T00:00:00Z'));
  expect(guestVote('video 1')).toBe(0);
  storeGuestVote('video 2', 1);
  expect(guestVote('video 1')).toBe(0);
});

it('is empty if storage holds something else', () => {
  localStorage.setItem('lantern.votes', '{"day":"2026-03-10","votes":{"video 1":7}}');
  expect(guestVote('video 1')).toBe(0);
});
