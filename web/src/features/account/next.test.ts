import { describe, expect, it } from 'vitest';
import { nextOf, withNext } from './next';

describe('the page after signing in', () => {
  it.each([
    ['?next=%2Fvideos%2F12%2Fx%2F%3Ffr%3D1', '/videos/12/x/?fr=1'],
    ['', '/'],
    ['?next=', '/'],
    ['?next=https://evil.example/', '/'],
    ['?next=//evil.example/', '/'],
    ['?next=/\\evil.example/', '/'],
    ['?next=javascript:alert(1)', '/'],
  ])('of %s is %s', (search, path) => {
    expect(nextOf(search)).toBe(path);
  });

  it('survives the way through an address', () => {
    const path = '/search/1/?s=a%26b&type=hd';
    expect(nextOf(new URL(withNext('/signin/', path), 'http://x/').search)).toBe(path);
    expect(withNext('/signup/', '/')).toBe('/signup/');
  });
});
