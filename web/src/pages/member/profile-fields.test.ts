import { describe, expect, it } from 'vitest';
import { adultSince, valuesOf, type Profile } from './profile-fields';

describe('a profile', () => {
  it('has an empty input for what is not said', () => {
    const profile = { city: 'Otaru', gender: null } as Profile;
    const { city, gender, about } = valuesOf(profile);
    expect([city, gender, about]).toEqual(['Otaru', '', '']);
  });
  it('is of somebody who is 18 today', () => {
    expect(adultSince(new Date('2026-11-21T23:00:00Z'))).toBe('2008-11-21');
    expect(adultSince(new Date('2024-02-29T00:00:00Z'))).toBe('2006-03-01');
  });
});
