import { expect, it } from 'vitest';
import { campaignOf, isStep, siteOf } from './visit';

it.each([
  ['/videos/top-rated/1/', '/videos/top-rated/2/', true],
  ['/search/3/', '/search/2/', true],
  ['/playlist/7/1/', '/playlist/7/2/', true],
  ['/videos/top-rated/1/', '/videos/longest/1/', false],
  ['/videos/top-rated/1/', '/videos/top-rated/1/', false],
  ['/videos/12/', '/videos/13/', false],
  ['/members/1/', '/members/2/', false],
  [null, '/videos/top-rated/2/', false],
])('from %s to %s is a step within a list: %s', (before, after, expected) =>
  expect(isStep(before, after)).toBe(expected),
);

it('reads the campaign of an address', () => {
  expect(campaignOf('https://tube.example/videos/1/?campaign=summer&fr=x')).toBe('summer');
  expect(campaignOf('https://tube.example/?fr=friend')).toBe('friend');
  expect(campaignOf('https://tube.example/')).toBe('');
});

it('reveals only the site a visitor came from', () => {
  expect(siteOf('https://other.example/search?q=private')).toBe('https://other.example');
  expect(siteOf('')).toBe('');
});
