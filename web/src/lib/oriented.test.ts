import { expect, it } from 'vitest';
import { withOrientation } from './oriented';

it('adds a non-default orientation to addresses of lists', () => {
  expect(withOrientation('/', 'gay')).toBe('/?gender=gay');
  expect(withOrientation('/videos/longest/2/?date=day', 'she')).toBe(
    '/videos/longest/2/?date=day&gender=she',
  );
  expect(withOrientation('/search/1/?s=a%26b&gender=gay', 'she')).toBe(
    '/search/1/?s=a%26b&gender=she',
  );
  expect(withOrientation('/models/alphabet/1/?gender=gay', 'str')).toBe('/models/alphabet/1/');
});

it('leaves other addresses unchanged', () => {
  for (const address of [
    '/videos/12/name/',
    '/videos/history/1/',
    '/model/ayla/videos/1/',
    '/community/recent/1/?gender=male',
    '/information/terms/',
  ]) {
    expect(withOrientation(address, 'gay')).toBe(address);
  }
});
