// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { startGroups, suggestionGroups } from './options';
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from './recent';

it('groups by type in a fixed order and links each to its page', () => {
  const groups = suggestionGroups({
    suggestions: [
      {
        type: 'model',
        title: 'Aiko',
        detail: 'Japan, 27',
        dir: 'aiko',
        total: 4,
        thumb: '/media/p/a-320.webp',
      },
      {
        type: 'query',
        title: 'neon city',
        total: 9,
        _formatted: { title: '<mark>neon</mark> city' },
      },
      { type: 'category', title: 'Neon', dir: 'neon', total: 7 },
    ],
    videos: [
      {
        video_id: 7,
        dir: 'neon-rain',
        title: 'Neon rain',
        title_lang: 'en',
        thumb: '/media/p/7-320.webp',
        _formatted: { title: '<mark>Neon</mark> rain' },
      },
    ],
  });
  expect(groups.map(({ name }) => name)).toEqual(['query', 'category', 'model', 'video']);
  expect(groups[2]?.options[0]?.detail).toBe('Japan, 27');
  const thumbs = groups.flatMap(({ options }) => options.map(({ thumb }) => thumb));
  expect(thumbs).toEqual([null, null, '/media/p/a-320.webp', '/media/p/7-320.webp']);
  expect(groups.flatMap(({ options }) => options.map(({ href }) => href))).toEqual([
    '/search/1/?s=neon+city',
    '/categories/neon/latest-updates/1/',
    '/model/aiko/',
    '/videos/7/neon-rain/',
  ]);
  expect(groups[0]?.options[0]?.parts[0]).toEqual({ text: 'neon', marked: true });
});

it('lists each search once', () => {
  const hot = [{ type: 'query' as const, title: 'rain', total: 1 }];
  expect(startGroups(['rain'], hot).map(({ name }) => name)).toEqual(['recent']);
});

it('remembers the last three searches, newest first, and removes one or all', () => {
  for (const text of ['a1', 'b2', 'c3', 'd4', 'b2', 'e5']) rememberSearch(text);
  expect(recentSearches()).toEqual(['e5', 'b2', 'd4']);
  forgetSearch('d4');
  expect(recentSearches()).toEqual(['e5', 'b2']);
  expect(localStorage.getItem('lantern.searches')).not.toContain('d4');
  forgetSearches();
  expect(recentSearches()).toEqual([]);
  expect(localStorage.getItem('lantern.searches')).toBe('[]');
});
