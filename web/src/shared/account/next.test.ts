import { describe, expect, it } from 'vitest';
import { nextOf, withNext } from './next';

describe('the page after login', () => {
  it.each([
    ['?next=%2Fvideos%2F12%2Fx%2F%3Ffr%3D1', '/videos/12/x/?fr=1'],
    ['', '/'],
    ['?next=', '/'],
    ['?next=https://evil.example/', '/'],
    ['?next=//evil.example/', '/'],
    ['?next=/\\evil.example/', '/'],
    ['?next=javascript:alert(1)', '/'],
    ['?next=%2F%09%2Fevil.example/', '/'],
    ['?next=%2F%0A%2Fevil.example/', '/'],
    ['?next=%2F%0D%2Fevil.example/', '/'],
    ['?next=%09%2F%2Fevil.example/', '/'],
    ['?next=%2F%09%5Cevil.example/', '/'],
    ['?next=%2F%00%2Fevil.example/', '/'],
    ['?next=%2F.%2F%2Fevil.example/', '/'],
    ['?next=%2Fa%2F..%2F%2Fevil.example/', '/'],
    ['?next=%2Fa%5C..%5C%5Cevil.example/', '/'],
    ['?next=https:evil.example', '/'],
    ['?next=%2F%2F@evil.example/', '/'],
    ['?next=@evil.example', '/'],
    ['?next=%2F@evil.example/', '/@evil.example/'],
    ['?next=%2F%2509%2Fevil.example/', '/%09/evil.example/'],
    ['?next=%2Fsearch%2F1%2F%3Fs%3D%2F%2Fa', '/search/1/?s=//a'],
  ])('of %s is %s', (search, path) => expect(nextOf(search)).toBe(path));

  it.each(['/\t/evil.example/', '/\n/evil.example/', '/.//evil.example/', '/\\evil.example/'])(
    'is on this site, so %j is not asked for',
    (path) => expect(withNext('/signin/', path)).toBe('/signin/'),
  );

  it('survives being part of an address', () => {
    const path = '/search/1/?s=a%26b&type=hd';
    expect(nextOf(new URL(withNext('/signin/', path), 'http://x/').search)).toBe(path);
    expect(withNext('/signup/', '/')).toBe('/signup/');
  });
});
