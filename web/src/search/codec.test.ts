import { describe, expect, it } from 'vitest';
import { formatListing, parseListing } from './codec';
import { modelsToUi, uiToModels, uiToVideos, videosToUi } from './mapping';

const split = (url: string): [string, string] => {
  const cut = url.indexOf('?');
  return cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut)];
};
const parse = (url: string) => parseListing(...split(url));

const CANONICAL = [
  '/videos/latest-updates/1/',
  '/videos/top-rated/12/',
  '/videos/most-popular/1/?type=uncensored&duration=long&date=week',
  '/categories/dance/latest-updates/1/',
  '/categories/a,b/top-rated/2/?duration=long',
  '/categories/a,b,c/most-commented/3/?type=hd',
  '/videos/longest/1/?models=yui&type=hd&spoken=ja',
  '/search/1/?s=beach&spoken=de',
  '/top-country/1/',
  '/top-country/4/?country=JP&duration=short',
  '/search/1/?s=neon+lights',
  '/search/2/?s=%E5%A4%9C%E6%99%AF&sort=top-rated&categories=a,b&type=hd&duration=short&date=month',
  '/search/1/?s=100%25+a%26b',
  '/search/1/?s=beach+-night&categories=a&not_categories=b,c&date=week',
  '/search/1/?s=beach&not_categories=b&models=yui&type=hd',
  '/videos/longest/2/?not_categories=b&models=mika,yui&type=hd',
  '/categories/a/longest/1/?not_categories=b&models=yui&not_models=mika',
  '/top-country/1/?country=JP&categories=a&not_categories=b&models=yui',
  '/model/aiko-mori/videos/1/?categories=a&models=yui&date=week',
  '/model/aiko-mori/videos/1/',
  '/model/aiko-mori/videos/3/?sort=longest&type=hd',
  '/models/most-popular/1/',
  '/models/alphabet/2/?alphabet=%23',
  '/models/most-popular/1/?age=25.&height=.180',
  '/models/count-videos/1/?race=asian&age=25.34&country=JP&hair_color=black&tattoo=yes',
];

describe('every list round-trips', () => {
  it.each(CANONICAL)('%s', (url) => {
    const listing = parse(url);
    expect(listing).not.toBeNull();
    if (listing) expect(formatListing(listing)).toBe(url);
  });

  it.each(CANONICAL)('%s through InstantSearch state', (url) => {
    const listing = parse(url);
    if (listing?.list === 'videos') {
      expect(uiToVideos(videosToUi(listing.state))).toEqual(listing.state);
    } else if (listing) {
      expect(uiToModels(modelsToUi(listing.state))).toEqual(listing.state);
    }
    expect(listing).not.toBeNull();
  });
});

describe('invalid URLs', () => {
  it.each([
    '/videos/newest/1/',
    '/videos/latest-updates/01/',
    '/videos/latest-updates/-1/',
    '/categories/,/latest-updates/1/',
    '/categories/a,b,c,d/latest-updates/1/',
    '/categories/caf%C3%A9/longest/1/',
    '/models/longest/1/',
    '/search/x/?s=a',
  ])('%s is no listing', (url) => {
    expect(parse(url)).toBeNull();
  });

  it('drops unknown and excess values', () => {
    const listing = parse('/categories/a,b,a/top-rated/1/?duration=forever&utm=1');
    expect(listing && formatListing(listing)).toBe('/categories/a,b/top-rated/1/');
    const named = parse('/categories/a/longest/1/?categories=b&models=yui,mika,yui,rei,ada');
    expect(named && formatListing(named)).toBe('/categories/a/longest/1/?models=yui,mika,rei');
    const models = parse('/models/alphabet/1/?age=old&race=asian&x=1');
    expect(models && formatListing(models)).toBe('/models/alphabet/1/?race=asian');
  });

  it('tolerates a malformed escape', () => {
    expect(parse('/categories/100%/latest-updates/1/')).toBeNull();
  });
});
