import { describe, expect, it } from 'vitest';
import type { VideoCard } from '@/api/types';
import { EMPTY, isHistory, MOST, pageOf, resumeAt, watched, without } from './entries';

const video = (video_id: number) =>
  ({ video_id, title: String(video_id), models: [], categories: [] }) as unknown as VideoCard;
const seen = (ids: number[]) =>
  ids.reduce((history, id) => watched(history, { video: video(id), now: 'now' }), EMPTY);
const ids = (history: typeof EMPTY) => history.items.map((item) => item.video.video_id);

describe('history', () => {
  it('has the newest first and each once', () => {
    expect(ids(seen([1, 2, 3, 1]))).toEqual([1, 3, 2]);
  });
  it('keeps the position of a video that is opened again', () => {
    const first = watched(EMPTY, { video: video(1), now: 'a', stoppedAt: 40 });
    const again = watched(first, { video: video(1), now: 'b' });
    expect(again.items[0]).toMatchObject({ watched_at: 'b', stopped_at: 40 });
  });
  it('keeps nothing while it is paused', () => {
    const paused = { ...seen([1]), paused: true };
    expect(watched(paused, { video: video(2), now: 'now' })).toBe(paused);
  });
  it('forgets the oldest', () => {
    const all = seen(Array.from({ length: MOST + 1 }, (_, index) => index + 1));
    expect(all.items).toHaveLength(MOST);
    expect(ids(all)).not.toContain(1);
  });
  it('forgets one', () => {
    expect(ids(without(seen([1, 2, 3]), 2))).toEqual([3, 1]);
  });
  it('knows what it wrote', () => {
    expect(isHistory(seen([1]))).toBe(true);
    for (const other of [null, [], { paused: false }, { paused: false, items: [{ id: 1 }] }]) {
      expect(isHistory(other)).toBe(false);
    }
  });
});

describe('going on', () => {
  it.each([
    [3, 100, 0],
    [5, 100, 5],
    [42.7, 100, 42],
    [96, 100, 0],
    [12, NaN, 12],
  ])('%i s of %i: at %i', (seconds, duration, at) => {
    expect(resumeAt(seconds, duration)).toBe(at);
  });
});

it('turns pages', () => {
  expect(pageOf([1, 2, 3, 4, 5], 2, 2)).toEqual({ items: [3, 4], pages: 3 });
  expect(pageOf([], 1, 2)).toEqual({ items: [], pages: 0 });
});
