import { describe, expect, it } from 'vitest';
import { resolve } from './route';

const redirect = (path: string, search = ''): string => {
  const route = resolve(path, search);
  return route.page === 'redirect' ? route.to : `(${route.page})`;
};

describe('redirects', () => {
  it.each([
    ['/main/', '', '/'],
    ['/videos', '?a=1', '/videos/?a=1'],
    ['/videos/', '', '/videos/latest-updates/1/'],
    ['/videos/top-rated/', '', '/videos/top-rated/1/'],
    ['/latest-updates/', '', '/videos/latest-updates/1/'],
    ['/most-popular/3/', '', '/videos/most-popular/3/'],
    ['/most-commented/', '', '/videos/most-commented/1/'],
    ['/categories/dance/', '', '/categories/dance/latest-updates/1/'],
    ['/categories/a,b/4/', '?sort=top-rated&type=hd', '/categories/a,b/top-rated/4/?type=hd'],
    ['/categories/a,b/4/', '', '/categories/a,b/latest-updates/4/'],
    ['/top-country/', '?country=JP', '/top-country/1/?country=JP'],
    ['/models/', '', '/models/most-popular/1/'],
    ['/models/alphabet/', '', '/models/alphabet/1/'],
    ['/models/aiko-mori/', '', '/model/aiko-mori/videos/1/'],
    ['/models/aiko-mori/videos/', '', '/model/aiko-mori/videos/1/'],
    ['/model/aiko-mori/videos/', '', '/model/aiko-mori/videos/1/'],
    ['/search/', '?s=neon', '/search/1/?s=neon'],
  ])('%s%s → %s', (path, search, target) => expect(redirect(path, search)).toBe(target));
});

describe('pages', () => {
  it.each([
    ['/', 'home'],
    ['/categories/', 'categories'],
    ['/videos/latest-updates/2/', 'listing'],
    ['/categories/a,b/longest/1/', 'listing'],
    ['/search/1/', 'listing'],
    ['/top-country/2/', 'listing'],
    ['/models/alphabet/2/', 'models'],
    ['/model/aiko-mori/', 'model'],
    ['/model/aiko-mori/info/', 'model'],
    ['/model/aiko-mori/wall/', 'model'],
    ['/videos/history/2/', 'community'],
    ['/model/aiko-mori/videos/2/', 'model'],
    ['/signin/', 'account'],
    ['/information/terms/', 'account'],
    ['/videos/12/', 'video'],
    ['/videos/12/some-title/', 'video'],
  ])('%s shows %s', (path, page) => expect(resolve(path, '').page).toBe(page));

  it.each([
    '/404/',
    '/videos/unknown/1/',
    '/videos/latest-updates/0/',
    '/videos/latest-updates/x/',
    '/videos/12/dir/more/',
    '/top-rated/x/',
    '/categories/a/unknown/1/',
    '/categories/a,b,c,d/longest/1/',
    '/models/unknown/1/',
    // Only the server renders this page.
    '/embed/12/',
    '/nothing/here/',
  ])('%s is not found', (path) => expect(resolve(path, '').page).toBe('not-found'));

  it('reads the start time in seconds', () => {
    expect(resolve('/videos/12/x/', '?start_time=42')).toMatchObject({ startTime: 42 });
    expect(resolve('/videos/12/x/', '?start_time=-1')).toMatchObject({ startTime: 0 });
    for (const search of ['?autoplay=1', '?autostart=true', '?fr=7&autoplay']) {
      expect(resolve('/videos/12/x/', search), search).toMatchObject({ autoplay: true });
    }
    for (const search of ['', '?autoplay=0', '?autostart=false', '?fr=1']) {
      expect(resolve('/videos/12/x/', search), search).toMatchObject({ autoplay: false });
    }
    expect(resolve('/videos/12/x/', '?playlist=3&pl_page=2')).toMatchObject({
      playlist: { id: 3, page: 2 },
    });
    expect(resolve('/videos/12/x/', '?playlist=3')).toMatchObject({ playlist: { id: 3, page: 1 } });
    expect(resolve('/videos/12/x/', '?playlist=x&pl_page=2')).toMatchObject({ playlist: null });
  });
});
