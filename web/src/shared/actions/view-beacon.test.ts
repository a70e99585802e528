import { describe, expect, it } from 'vitest';
import { cameFrom, saysNothingOfCountry } from './view-beacon';

describe('a view', () => {
  it.each([
    ['https://other.example.com/', true],
    ['https://other.example.com/page', false],
    ['https://other.tube/', true],
    ['https://site.example/top-country/1/', true],
    ['', false],
  ])('from %j says nothing of a country: %s', (referrer, nogeo) =>
    expect(saysNothingOfCountry(referrer)).toBe(nogeo),
  );
  it('comes from the previous page on this site, else from the referrer', () => {
    const entries = () => [{ url: 'https://a.example/top-country/1/' }, { url: null }];
    const at = (index: number) => ({ navigation: { currentEntry: { index }, entries } });
    expect(cameFrom(at(1), 'https://b.example/')).toBe('https://a.example/top-country/1/');
    expect(cameFrom(at(0), 'https://b.example/')).toBe('https://b.example/');
    expect(cameFrom({}, 'https://b.example/')).toBe('https://b.example/');
  });
});
