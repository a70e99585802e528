import { describe, expect, it } from 'vitest';
import { resolve } from './route';

const at = (path: string) => resolve(path, '');

describe('login and information pages', () => {
  it.each([
    ['signin', 'signin'],
    ['signup', 'signup'],
    ['confirm', 'confirm'],
    ['restore-password', 'restore-password'],
    ['unsubscribe', 'unsubscribe'],
    ['sitemap-page', 'sitemap'],
    ['upload-video', 'upload'],
    ['upload-album', 'upload-album'],
    ['moderate', 'moderate'],
    ['download', 'download'],
    ['edit', 'profile'],
  ])('/%s/ shows %s', (path, screen) =>
    expect(at(`/${path}/`)).toMatchObject({ page: 'account', shown: { screen } }),
  );
  it.each(['support', 'terms', 'privacy', 'cookies_policy', 'dmca', '2257'])(
    '/information/%s/ is shown',
    (topic) =>
      expect(at(`/information/${topic}/`)).toMatchObject({
        page: 'account',
        shown: { screen: 'information', places: { topic } },
      }),
  );
  it('/information/ redirects to the first', () =>
    expect(at('/information/')).toEqual({ page: 'redirect', to: '/information/support/' }));
  it.each([
    '/signin/x/',
    '/confirm/x/',
    '/information/x/',
    '/information/terms/x/',
    '/sitemap-page/2/',
  ])('%s is not there', (path) => expect(at(path)).toEqual({ page: 'not-found' }));
});
