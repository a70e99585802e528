import { describe, expect, it } from 'vitest';
import { keyOf, namedIn, neighbour } from './order';
import type { Item } from './queries';

const item = (section: string, id: number) => ({ section, id }) as Item;
const queue = [item('video', 7), item('album', 7), item('video', 3)];

describe('moving through the queue', () => {
  it('starts with the first and stops at the ends', () => {
    expect(neighbour(queue, null, 0)).toBe('video 7');
    expect(neighbour(queue, null, 1)).toBe('album 7');
    expect(neighbour(queue, 'album 7', 1)).toBe('video 3');
    expect(neighbour(queue, 'video 3', 1)).toBe('video 3');
    expect(neighbour(queue, 'video 7', -1)).toBe('video 7');
    expect(neighbour([], 'video 7', 1)).toBeNull();
  });
  it('accepts an upload from the address', () => {
    expect(namedIn('?video_id=7')).toEqual({ section: 'video', id: 7 });
    expect(namedIn('?album_id=8')).toEqual({ section: 'album', id: 8 });
    for (const none of [
      '',
      '?album_id=x',
      '?video_id=',
      '?video_id=0',
      '?video_id=x',
      '?video_id=1.5',
    ]) {
      expect(namedIn(none)).toBeNull();
    }
  });
  it('tells a video from an album with the same id', () =>
    expect(new Set(queue.map(keyOf)).size).toBe(3));
});
