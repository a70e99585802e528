import { expect, it } from 'vitest';
import { limits } from '@/lib/limits';
import { firstOf, isMutes, mutingOf, NOTHING_MUTED } from './rules';
import { isMuted, withMute, withoutMute, type MuteTarget } from './change';

const model: MuteTarget = { kind: 'models', dir: 'yui', title: 'Yui' };
const member: MuteTarget = { kind: 'members', user_id: 7, title: 'Mona' };

it('mutes once, the newest first, and shows again', () => {
  const both = withMute(withMute(NOTHING_MUTED, model) ?? NOTHING_MUTED, member) ?? NOTHING_MUTED;
  expect([isMuted(both, model), isMuted(both, member)]).toEqual([true, true]);
  expect(withMute(both, model)).toEqual(both);
  const mika = withMute(both, { kind: 'models', dir: 'mika', title: 'Mika' });
  expect(mika?.models.map(({ dir }) => dir)).toEqual(['mika', 'yui']);
  expect(withoutMute(withoutMute(both, model), member)).toEqual(NOTHING_MUTED);
});

it('has room for so many of a kind', () => {
  const length = limits().mutes;
  const models = Array.from({ length }, (_, at) => ({ dir: `m${String(at)}`, title: 'M' }));
  const full = { ...NOTHING_MUTED, models };
  expect(isMutes(full)).toBe(true);
  expect(withMute(full, model)).toBeNull();
  expect(withMute(full, member)).not.toBeNull();
  // More, of a time when more was allowed, are kept, and calls name the latest.
  expect(isMutes(full)).toBe(true);
  expect(firstOf(full, 2).models).toEqual(models.slice(0, 2));
});

it('knows what it wrote', () => {
  expect(isMutes(withMute(NOTHING_MUTED, member))).toBe(true);
  for (const other of [null, [], { watched: true }, { ...NOTHING_MUTED, models: [{ dir: 1 }] }]) {
    expect(isMutes(other)).toBe(false);
  }
});

it('tells calls of a guest what is muted, and of a member that something is', () => {
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
  // A list stays as it was while one watches.
  expect(mutingOf(muted, () => [])?.key).toBe(guest?.key);
});
