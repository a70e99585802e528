import { describe, expect, it } from 'vitest';
import { resolveCommunity } from './community-route';

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
    ['/upload-video/', '/'],
    ['/edit/', '/'],
  ])('%s → %s', (path, target) => {
    expect(resolveCommunity(path, '')).toEqual({ page: 'redirect', to: target });
  });

  it.each([
    ['/albums/most-viewed/2/', { page: 'albums', sort: 'most-viewed', number: 2 }],
    ['/album/7/night/', { page: 'album', id: 7 }],
    ['/playlists/count-videos/1/', { page: 'playlists', sort: 'count-videos', number: 1 }],
    ['/playlist/7/2/', { page: 'playlist', id: 7, number: 2 }],
    ['/community/recent/3/', { page: 'members', sort: 'recent', number: 3, filters: {} }],
    ['/members/7/', { page: 'member', id: 7, tab: 'uploaded_videos', number: 1 }],
    ['/members/7/friends/2/', { page: 'member', id: 7, tab: 'friends', number: 2 }],
    ['/members/7/info/', { page: 'member', id: 7, tab: 'info', number: 1 }],
    ['/members/7/history/2/', { page: 'member', id: 7, tab: 'history', number: 2 }],
    ['/members/7/messages/', { page: 'member', id: 7, tab: 'messages', number: 1 }],
    ['/videos/history/2/', { page: 'history', number: 2 }],
  ])('%s is shown', (path, route) => {
    expect(resolveCommunity(path, '')).toEqual(route);
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
  ])('%s is not found', (path) => {
    expect(resolveCommunity(path, '')).toEqual({ page: 'not-found' });
  });

  it('reads the filters of members', () => {
    expect(resolveCommunity('/community/recent/1/', '?avatar=yes')).toMatchObject({
      filters: { avatar: 'yes' },
    });
  });
});
