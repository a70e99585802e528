// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { parseListing, type Listing } from './codec';
import { createListingRouter } from './router';

const at = (url: string): Listing => {
  const { pathname, search } = new URL(url, location.origin);
  const listing = parseListing(pathname, search);
  if (!listing) throw new Error(`no listing: ${url}`);
  return listing;
};
const address = () => location.pathname + location.search;

const opened: { dispose: () => void }[] = [];
const open = (url: string) => {
  navigate(url);
  const router = createListingRouter(at(url));
  router.setOpen(true);
  const onListing = vi.fn<(listing: Listing) => void>();
  router.onUpdate(onListing);
  opened.push(router);
  return { router, onListing };
};

beforeEach(() => {
  navigate('/');
});
afterEach(() => {
  for (const router of opened.splice(0)) router.dispose();
});

describe('the listing router', () => {
  it('reads the address and writes it', () => {
    const { router, onListing } = open('/videos/latest-updates/1/');
    expect(router.read()).toEqual(at('/videos/latest-updates/1/'));
    router.write(at('/categories/a,b/top-rated/2/?duration=long'));
    expect(address()).toBe('/categories/a,b/top-rated/2/?duration=long');
    // The router isn't notified of its own write.
    expect(onListing).not.toHaveBeenCalled();
  });

  it('adds no history entry for the state it already shows', () => {
    const { router } = open('/search/1/?s=neon&utm=1');
    const before = history.length;
    router.write(at('/search/1/?s=neon'));
    expect(history.length).toBe(before);
    expect(address()).toBe('/search/1/?s=neon&utm=1');
  });

  it('makes one entry of all steps of a slider', () => {
    const { router } = open('/models/most-popular/2/?hair_color=red');
    const before = history.length;
    for (const age of ['19.40', '20.40', '21.40']) {
      router.write(at(`/models/most-popular/1/?hair_color=red&age=${age}`));
    }
    expect(address()).toBe('/models/most-popular/1/?age=21.40&hair_color=red');
    expect(history.length).toBe(before + 1);
    router.write(at('/models/most-popular/1/?hair_color=red&age=21.40&height=160.170'));
    expect(history.length).toBe(before + 2);
    // Another page was viewed in between, so the change is a separate history entry.
    navigate('/models/most-popular/2/?hair_color=red&age=21.40&height=160.170');
    router.write(at('/models/most-popular/1/?hair_color=red&age=21.40&height=160.180'));
    expect(history.length).toBe(before + 4);
  });

  it('notifies when other code changes the address within the list', () => {
    const { onListing } = open('/videos/latest-updates/1/');
    navigate('/videos/latest-updates/2/');
    expect(onListing).toHaveBeenCalledWith(at('/videos/latest-updates/2/'));
    history.replaceState(null, '', '/videos/top-rated/1/');
    dispatchEvent(new PopStateEvent('popstate'));
    expect(onListing).toHaveBeenLastCalledWith(at('/videos/top-rated/1/'));
  });

  it('neither notifies nor writes once the visitor has left the list', () => {
    const { router, onListing } = open('/models/alphabet/1/');
    navigate('/videos/12/title/');
    router.write(at('/models/most-popular/1/'));
    expect(address()).toBe('/videos/12/title/');
    navigate('/model/aiko/videos/1/');
    router.write(at('/models/most-popular/1/'));
    expect(address()).toBe('/model/aiko/videos/1/');
    expect(onListing).not.toHaveBeenCalled();
  });

  it('keeps lists of different scopes apart', () => {
    const { router, onListing } = open('/model/aiko/videos/1/');
    navigate('/model/lena/videos/2/');
    router.write(at('/model/aiko/videos/3/'));
    expect(address()).toBe('/model/lena/videos/2/');
    expect(onListing).not.toHaveBeenCalled();
  });

  it('writes nothing for a tree replaced by another at its address', () => {
    const { router, onListing } = open('/videos/longest/1/?lang=ja');
    router.setOpen(false);
    router.write(at('/videos/latest-updates/1/'));
    expect(address()).toBe('/videos/longest/1/?lang=ja');
    navigate('/videos/top-rated/1/');
    expect(onListing).not.toHaveBeenCalled();
  });

  it('is silent after dispose', () => {
    const { router, onListing } = open('/videos/latest-updates/1/');
    router.dispose();
    navigate('/videos/latest-updates/3/');
    expect(onListing).not.toHaveBeenCalled();
  });
});
