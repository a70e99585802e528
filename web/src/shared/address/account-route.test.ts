import { describe, expect, it } from 'vitest';
import { resolveAccount } from './account-route';

const at = (path: string) => resolveAccount(path.split('/').filter(Boolean));

describe('pages of signing in and about the site', () => {
  it.each(['signin', 'signup', 'confirm', 'restore-password', 'sitemap-page'])(
    '/%s/ is shown',
    (page) => {
      expect(at(`/${page}/`)).toEqual({ page });
    },
  );
  it.each(['support', 'terms', 'privacy', 'cookies_policy', 'dmca', '2257'])(
    '/information/%s/ is shown',
    (topic) => {
      expect(at(`/information/${topic}/`)).toEqual({ page: 'information', topic });
    },
  );
  it('/information/ leads to the first', () => {
    expect(at('/information/')).toEqual({ page: 'redirect', to: '/information/support/' });
  });
  it.each([
    '/signin/x/',
    '/confirm/x/',
    '/information/x/',
    '/information/terms/x/',
    '/sitemap-page/2/',
  ])('%s is not there', (path) => {
    expect(at(path)).toEqual({ page: 'not-found' });
  });
});
