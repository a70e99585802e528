import { describe, expect, it } from 'vitest';
import { emptyVideoState } from '@/search/listing';
import {
  addressOfList,
  findSaved,
  inNameOrder,
  isSavedList,
  keyOf,
  newestFirst,
  withSaved,
  type SavedSearch,
} from './searches';

const saved = (address: string, name = 'Any', saved_id = 1): SavedSearch => ({
  saved_id,
  name,
  address,
  seen_at: '2026-01-01T00:00:00Z',
});

describe('the address of a list', () =>
  it('is its first page with filters and orientation', () => {
    const state = { ...emptyVideoState(), query: 'night market', page: 3, type: 'hd' as const };
    const list = { list: 'videos', scope: { kind: 'search' }, state } as const;
    expect(addressOfList(list, 'str')).toBe('/search/1/?s=night+market&type=hd');
    expect(addressOfList(list, 'gay')).toBe('/search/1/?s=night+market&type=hd&gender=gay');
  }));

describe('a saved list', () => {
  const list = [saved('/search/1/?s=night&sort=longest&gender=gay'), saved('/model/mika-sato/')];
  it('is recognized in any order and on any page', () => {
    expect(findSaved(list, '/search/4/?s=night&gender=gay')).toBe(list[0]);
    expect(findSaved(list, '/model/mika-sato/videos/2/?sort=longest')).toBe(list[1]);
  });
  it('differs by query, filters or orientation', () => {
    for (const other of [
      '/search/1/?s=nights&gender=gay',
      '/search/1/?s=night&type=hd&gender=gay',
      '/search/1/?s=night',
    ]) {
      expect(findSaved(list, other), other).toBeUndefined();
    }
  });
  it('opens with the newest first', () => {
    expect(newestFirst('/search/1/?s=night')).toBe('/search/1/?s=night&sort=latest-updates');
    expect(newestFirst('/categories/a,b/longest/1/?type=hd&gender=gay')).toBe(
      '/categories/a,b/latest-updates/1/?type=hd&gender=gay',
    );
  });
  it('is unchanged if it lists no videos', () =>
    expect([keyOf('/albums/'), newestFirst('/albums/')]).toEqual(['/albums/', '/albums/']));
});

describe('a guest', () => {
  it('saves a list once', () => {
    const one = withSaved([], saved('/search/1/?s=night', 'Night'));
    const two = withSaved(one, saved('/videos/longest/1/', 'Long'));
    expect(withSaved(two, saved('/search/1/?s=night', 'Nights')).map(({ name }) => name)).toEqual([
      'Nights',
      'Long',
    ]);
    expect(new Set(two.map(({ saved_id }) => saved_id)).size).toBe(2);
  });
  it('has them sorted by name', () => {
    const list = [saved('/a/', 'b', 1), saved('/b/', 'Á', 2), saved('/c/', 'a', 3)];
    expect(inNameOrder(list, 'en').map(({ name }) => name)).toEqual(['a', 'Á', 'b']);
  });
  it('accepts its own format', () => {
    expect(isSavedList([saved('/search/1/?s=night')])).toBe(true);
    for (const other of [null, {}, [{}], [{ ...saved('/a/'), seen_at: 'x' }], [saved('x:y')]]) {
      expect(isSavedList(other)).toBe(false);
    }
  });
});
