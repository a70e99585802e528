import { describe, expect, it } from 'vitest';
import {
  isUnfinished,
  MAX_ENTRIES,
  noteAt,
  pageOf,
  restored,
  resumeAt,
  titleIn,
  watched,
  without,
  type VideoFacts,
} from './entries';
import { EMPTY, isHistory, secondsOf, shareOf } from './stored';

const video = (video_id: number) =>
  ({ video_id, title: String(video_id), models: [], categories: [] }) as unknown as VideoFacts;
const seen = (ids: number[]) =>
  ids.reduce((history, id) => watched(history, { video: video(id), now: 'now' }), EMPTY);
const ids = (history: typeof EMPTY) => history.items.map((item) => item.video.video_id);

describe('history', () => {
  it('has the newest first and each video once', () =>
    expect(ids(seen([1, 2, 3, 1]))).toEqual([1, 3, 2]));
  it('keeps the position of a reopened video', () => {
    const first = watched(EMPTY, { video: video(1), now: 'a', stoppedAt: 40 });
    const again = watched(first, { video: video(1), now: 'b' });
    expect(again.items[0]).toMatchObject({ watched_at: 'b', stopped_at: 40 });
  });
  it('stores nothing while paused', () => {
    const paused = { ...seen([1]), paused: true };
    expect(watched(paused, { video: video(2), now: 'now' })).toBe(paused);
  });
  it('drops the oldest', () => {
    const all = seen(Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => index + 1));
    expect(all.items).toHaveLength(MAX_ENTRIES);
    expect(ids(all)).not.toContain(1);
  });
  it('removes one', () => expect(ids(without(seen([1, 2, 3]), 2))).toEqual([3, 1]));
  it('restores one to its place between older and newer entries', () => {
    const { items: before } = seen([1, 2, 3]);
    const left = without(seen([1, 2, 3]), 2);
    expect(ids(restored(left, before, 2))).toEqual([3, 2, 1]);
    const since = watched(left, { video: video(4), now: 'now' });
    expect(ids(restored(since, before, 2))).toEqual([4, 3, 2, 1]);
    expect(ids(restored(without(seen([1, 2]), 1), seen([1, 2]).items, 1))).toEqual([2, 1]);
    // The video was watched again in the meantime, so it is already there.
    const again = watched(left, { video: video(2), now: 'now' });
    expect(restored(again, before, 2)).toBe(again);
  });
  it('ignores a translation into a previously chosen language', () => {
    const translated = { title: 'Passeio', title_lang: 'pt' } as const;
    const seen = { ...video(1), ...translated, original_title: 'Walk', lang: 'en' } as VideoFacts;
    const [item] = watched(EMPTY, { video: seen, now: 'now' }).items;
    if (!item) throw new Error('nothing watched');
    expect(titleIn(item, 'pt')).toEqual(translated);
    expect(titleIn(item, 'de')).toEqual({ title: 'Walk', title_lang: 'en' });
    // An entry from an earlier version shows the title that it has.
    const { original: _none, ...old } = item;
    expect(titleIn(old, 'de').title).toBe('Passeio');
  });
  it('recognizes its own format', () => {
    expect(isHistory(seen([1]))).toBe(true);
    for (const other of [null, [], { paused: false }, { paused: false, items: [{ id: 1 }] }]) {
      expect(isHistory(other)).toBe(false);
    }
  });
});

describe('resuming', () => {
  it.each([
    [3, 100, 0],
    [5, 100, 5],
    [42.7, 100, 42],
    [96, 100, 0],
    [12, NaN, 12],
  ])('%i s of %i: at %i', (seconds, duration, at) => expect(resumeAt(seconds, duration)).toBe(at));
});

describe('watch progress', () => {
  const seen = (duration: string, stopped_at: number) => ({
    video: { ...video(1), duration },
    stopped_at,
  });
  it.each([
    ['0:45', 45],
    ['12:05', 725],
    ['1:02:03', 3723],
  ])('%s is %i seconds', (text, seconds) => expect(secondsOf(text)).toBe(seconds));
  it('is a share of the video, and all of it at the end', () => {
    expect(shareOf(seen('10:00', 300))).toBe(0.5);
    expect(shareOf(seen('10:00', 700))).toBe(1);
    expect(shareOf(seen('0:00', 0))).toBe(0);
  });
  it('can be resumed unless barely begun or finished', () => {
    expect([4, 5, 300, 570, 571].map((second) => isUnfinished(seen('10:00', second)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
  it('is stored as complete at the end of the video, whatever its nominal duration', () => {
    // The arguments are the position in seconds, the nominal duration, and the actual length.
    expect(noteAt(3, 600, 600)).toBe(0);
    expect(noteAt(42.7, 600, 600)).toBe(42);
    expect(noteAt(590, 600, 600)).toBe(600);
    expect(noteAt(9.9, 10, 600)).toBe(600);
  });
});

it('pages', () => {
  expect(pageOf([1, 2, 3, 4, 5], 2, 2)).toEqual({ items: [3, 4], pages: 3 });
  expect(pageOf([], 1, 2)).toEqual({ items: [], pages: 0 });
});
