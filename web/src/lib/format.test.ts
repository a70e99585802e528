import { describe, expect, it } from 'vitest';
import { abbreviate, age, countryName, likedPercent, ratingPercent } from './format';

describe('abbreviate', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1K'],
    [1250, '1.2K'],
    [99_999, '99.9K'],
    [999_999, '999K'],
    [1_000_000, '1M'],
    [2_360_000, '2.3M'],
  ])('shows %i as %s', (value, text) => expect(abbreviate(value, 'en')).toBe(text));
  it('uses the language’s decimal separator', () => expect(abbreviate(1250, 'de')).toBe('1,2K'));
});

describe('ratingPercent', () => {
  it('divides by 0.05', () => {
    expect(ratingPercent(4.6, 'en')).toBe('92%');
    expect(ratingPercent(5, 'en')).toBe('100%');
    expect(ratingPercent(0, 'en')).toBe('0%');
  });
  it('equals the share of likes shown next to the thumbs', () => {
    // The server's rating has two decimals.
    for (let votes = 1; votes <= 60; votes++) {
      for (let likes = 0; likes <= votes; likes++) {
        const rating = Math.round((500 * likes) / votes) / 100;
        expect(ratingPercent(rating, 'en')).toBe(likedPercent(likes, votes - likes, 'en'));
      }
    }
    expect(likedPercent(10, 2, 'en')).toBe('83%');
  });
});

describe('age', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  it.each([
    ['2026-03-10T11:59:40Z', 'now'],
    ['2026-03-10T11:58:00Z', '2 minutes ago'],
    ['2026-03-07T12:00:00Z', '3 days ago'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2024-03-01T00:00:00Z', '2 years ago'],
    ['2027-01-01T00:00:00Z', 'now'],
  ])('says %s was %s', (date, text) => expect(age(date, 'en', now)).toBe(text));
});

describe('names', () => {
  it('are in the requested language', () => {
    expect(countryName('JP', 'de')).toBe('Japan');
    expect(countryName('JP', 'ja')).toBe('日本');
    expect(countryName('HK', 'de')).toBe('Hongkong');
    expect(countryName('US', 'en')).toBe('United States');
    expect(countryName('??', 'en')).toBe('??');
  });
});
