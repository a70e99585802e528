import { expect, it } from 'vitest';
import { limits } from '@/lib/limits';
import { firstOf, isMutes, mutingOf, NOTHING_MUTED } from './rules';
import { isMuted, withMute, withoutMute, type MuteTarget } from './change';

const model: MuteTarget = { kind: 'models', dir: 'yui', title: 'Yui' };
const member: MuteTarget = { kind: 'members', user_id: 7, title: 'Mona' };

it('mutes once, newest first, and unmutes', () => {
  const both = withMute(withMute(NOTHING_MUTED, model) ?? NOTHING_MUTED, member) ?? NOTHING_MUTED;
  expect([isMuted(both, model), isMuted(both, member)]).toEqual([true, true]);
  expect(withMute(both, model)).toEqual(both);
  const mika = withMute(both, { kind: 'models', dir: 'mika', title: 'Mika' });
  expect(mika?.models.map(({ dir }) => dir)).toEqual(['mika', 'yui']);
  expect(withoutMute(withoutMute(both, model), member)).toEqual(NOTHING_MUTED);
});

it('limits the number per kind', () => {
  const length = limits().mutes;
  const models = Array.from({ length }, (_, at) => ({ dir: `m${String(at)}`, title: 'M' }));
  const full = { ...NOTHING_MUTED, models };
  expect(isMutes(full)).toBe(true);
  expect(withMute(full, model)).toBeNull();
  expect(withMute(full, member)).not.toBeNull();
  // Older entries beyond a lowered limit are kept, while calls send the newest.
  expect(isMutes(full)).toBe(true);
  expect(firstOf(full, 2).models).toEqual(models.slice(0, 2));
});

it('recognizes its own format', () => {
  expect(isMutes(withMute(NOTHING_MUTED, member))).toBe(true);
  for (const other of [null, [], { watched: true }, { ...NOTHING_MUTED, models: [{ dir: 1 }] }]) {
    expect(isMutes(other)).toBe(false);
  }
});

it('sends a guest’s mutes with calls, and only a flag for a member', () => {
  expect(mutingOf(NOTHING_MUTED, () => [1])).toBeNull();
  const muted = { ...(withMute(NOTHING_MUTED, model) ?? NOTHING_MUTED), watched: true };
  let watched = [3, 1];
  const guest = mutingOf(muted, () => watched);
  watched = [5, 3, 1];
  expect(guest?.models).toBe(true);
  expect(mutingOf({ ...NOTHING_MUTED, watched: true }, () => [])?.models).toBe(false);
  expect(guest?.fields()).toMatchObject({ models: 'yui', videos: '5,3,1', categories: undefined });
  expect(mutingOf(muted, null)?.fields()).toEqual({});
  expect(mutingOf(muted, null)?.key).not.toBe(guest?.key);
  // Watching a video doesn't change the list.
  expect(mutingOf(muted, () => [])?.key).toBe(guest?.key);
});
