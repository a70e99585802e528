// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deed } from '@/shared/actions/deed';
import { storePath, storeWish, takeDeed, wishedPath } from './wish';

const DEED: Deed = {
  section: 'video',
  id: 7,
  act: {
    fields: { act: 'favourite', section: 'add', object_id: 7 },
    change: { favourite: true },
    done: 'Added to favourites',
  },
};
const PATH = '/videos/7/rain/?fr=1';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a guest’s wish', () => {
  it('is done on its page, once', () => {
    storeWish({ path: PATH, deed: DEED });
    expect(wishedPath()).toBe(PATH);
    expect(takeDeed(PATH)).toEqual(DEED);
    expect(takeDeed(PATH)).toBeUndefined();
    expect(wishedPath()).toBeNull();
  });

  it('is kept when the form of the same page is submitted', () => {
    storeWish({ path: PATH, deed: DEED });
    storePath(PATH);
    expect(takeDeed(PATH)).toEqual(DEED);
  });

  it('is replaced by another page’s', () => {
    storeWish({ path: PATH, deed: DEED });
    storePath('/videos/8/snow/');
    expect(wishedPath()).toBe('/videos/8/snow/');
    expect(takeDeed('/videos/8/snow/')).toBeUndefined();
  });

  it('is dropped by a login on another page', () => {
    storeWish({ path: PATH, deed: DEED });
    expect(takeDeed('/')).toBeUndefined();
    expect(takeDeed(PATH)).toBeUndefined();
  });

  it('lasts as long as the mailed link', () => {
    storeWish({ path: PATH, deed: DEED });
    vi.advanceTimersByTime(259_200_000 - 1);
    expect(wishedPath()).toBe(PATH);
    vi.advanceTimersByTime(1);
    expect(wishedPath()).toBeNull();
  });

  it('is ignored if stored by another version', () => {
    const until = Date.now() + 1000;
    for (const deed of [null, 'favourite', { section: 'video', id: 7 }]) {
      localStorage.setItem('lantern.wish', JSON.stringify({ path: PATH, until, deed }));
      expect(wishedPath()).toBeNull();
    }
  });

  it('never leads to another site', () => {
    storeWish({ path: '//evil.example/', deed: DEED });
    expect(wishedPath()).toBeNull();
    expect(takeDeed('//evil.example/')).toBeUndefined();
  });
});
