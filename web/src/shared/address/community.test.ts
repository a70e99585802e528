import { describe, expect, it } from 'vitest';
import { tabOf } from './community-lists';
import { resolve } from './route';

describe('the community', () => {
  it.each([
    ['/albums/', '/albums/latest-updates/1/'],
    ['/albums/top-rated/', '/albums/top-rated/1/'],
    ['/albums/categories/travel/2/', '/albums/latest-updates/1/'],
    ['/albums/7/night/', '/album/7/night/'],
    ['/albums/7/', '/album/7/'],
    ['/playlists/', '/playlists/most-popular/1/'],
    ['/playlist/7/', '/playlist/7/1/'],
    ['/community/', '/community/recent/1/'],
    ['/community/alphabet/', '/community/alphabet/1/'],
    ['/members/7/wall/', '/members/7/wall/1/'],
    ['/members/7/favourite_videos/', '/members/7/favourite_videos/1/'],
    ['/members/7/messages/1/', '/members/7/messages/'],
    ['/videos/history/', '/videos/history/1/'],
  ])('%s → %s', (path, target) =>
    expect(resolve(path, '')).toEqual({ page: 'redirect', to: target }),
  );

  it.each([
    ['/albums/most-viewed/2/', 'albums', { album_sort: 'most-viewed', page: '2' }],
    ['/album/7/night/', 'album', { id: '7', any: 'night' }],
    ['/playlists/count-videos/1/', 'playlists', { playlist_sort: 'count-videos', page: '1' }],
    ['/playlist/7/2/', 'playlist', { id: '7', page: '2' }],
    ['/community/recent/3/', 'members', { member_sort: 'recent', page: '3' }],
    ['/members/7/', 'member', { id: '7' }],
    ['/members/7/friends/2/', 'member', { id: '7', member_list: 'friends', page: '2' }],
    ['/videos/history/2/', 'history', { page: '2' }],
    ['/saved-searches/', 'saved-searches', {}],
  ])('%s shows %s', (path, screen, places) =>
    expect(resolve(path, '')).toMatchObject({ page: 'community', shown: { screen, places } }),
  );

  it.each([
    ['/members/7/', 'uploaded_videos'],
    ['/members/7/info/', 'info'],
    ['/members/7/messages/', 'messages'],
    ['/members/7/friends/2/', 'friends'],
    ['/members/7/history/2/', 'history'],
  ])('%s shows the tab %s', (path, tab) => {
    const route = resolve(path, '');
    if (route.page !== 'community' || route.shown.screen !== 'member') throw new Error(route.page);
    expect(tabOf(route.shown)).toBe(tab);
  });

  it.each([
    '/albums/longest/1/',
    '/album/x/',
    '/playlist/0/1/',
    '/community/recent/0/',
    '/members/',
    '/members/7/secrets/1/',
    '/members/7/info/1/',
    '/videos/history/0/',
    '/videos/history/1/2/',
    '/edit/x/',
  ])('%s is not found', (path) => expect(resolve(path, '')).toEqual({ page: 'not-found' }));
});
