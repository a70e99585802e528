// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { guestVote, keepGuestVote } from './guest-votes';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: new Date('2026-03-10T23:59:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('is kept and taken back by object', () => {
  keepGuestVote('video 1', 1);
  keepGuestVote('album 1', -1);
  expect([guestVote('video 1'), guestVote('album 1'), guestVote('video 2')]).toEqual([1, -1, 0]);
  keepGuestVote('video 1', 0);
  expect([guestVote('video 1'), guestVote('album 1')]).toEqual([0, -1]);
});

it('ends with the day, as it does for the server', () => {
  keepGuestVote('video 1', 1);
  vi.setSystemTime(new Date('2026-03-11T00:00:00Z'));
  expect(guestVote('video 1')).toBe(0);
  keepGuestVote('video 2', 1);
  expect(guestVote('video 1')).toBe(0);
});

it('is nothing where the storage holds something else', () => {
  localStorage.setItem('lantern.votes', '{"day":"2026-03-10","votes":{"video 1":7}}');
  expect(guestVote('video 1')).toBe(0);
});
