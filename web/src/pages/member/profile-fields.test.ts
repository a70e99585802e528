import { describe, expect, it } from 'vitest';
import { pictureProblem, profileProblems, valuesOf, type Profile } from './profile-fields';

describe('a profile', () => {
  it('has empty inputs for missing values', () => {
    const profile = { city: 'Otaru', gender: null } as Profile;
    const { city, gender, about } = valuesOf(profile);
    expect([city, gender, about]).toEqual(['Otaru', '', '']);
  });
  it('describes valid values', () => {
    const problems = (birth_date: string, website: string) => {
      const data = new FormData();
      data.set('birth_date', birth_date);
      data.set('website', website);
      return profileProblems(data, '2008-11-21');
    };
    expect(problems('', '')).toEqual({});
    expect(problems('2008-11-21', 'https://a.example/path')).toEqual({});
    expect(problems('2008-11-22', 'a.example')).toEqual({
      birth_date: { code: 'birth_date_not_adult' },
      website: { code: 'website_invalid' },
    });
    for (const address of ['javascript:alert(1)', 'https:a.example', 'https://localhost/', 'x y']) {
      expect(problems('', address)).toEqual({ website: { code: 'website_invalid' } });
    }
  });
  it('reports the maximum size of a picture', () => {
    const file = new File([new Uint8Array(101)], 'a.png');
    expect(pictureProblem(file, { max_bytes: 101 })).toBeNull();
    expect(pictureProblem(file, { max_bytes: 100 })).toMatchObject({ code: 'picture_too_large' });
    expect(
      pictureProblem(new File([new Uint8Array(9_000_000)], 'a'), { max_bytes: 8_388_608 }),
    ).toEqual({
      code: 'picture_too_large',
      bound: 8,
    });
    expect(pictureProblem(null, { max_bytes: 1 })).toBeNull();
  });
});
