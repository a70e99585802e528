import { expect, it } from 'vitest';
import { asForm, filmProblems, readFields, type FilmFields } from './film-fields';

const LIMITS = {
  max_bytes: 1,
  exclusive_seconds: 1,
  other_seconds: 1,
  max_seconds: 1,
  title_min: 3,
  title_max: 10,
  description_max: 5,
  max_categories: 3,
  max_models: 20,
};
const FIELDS: FilmFields = {
  title: 'Harbour',
  description: '',
  lang: 'en',
  orientation: 'gay',
  categories: [
    { dir: 'night', title: 'Night' },
    { dir: 'street', title: 'Street' },
  ],
  models: [],
  isPrivate: false,
  isExclusive: false,
};

it('writes the fields as the call takes them', () => {
  expect(asForm(FIELDS)).toEqual({
    title: 'Harbour',
    description: '',
    lang: 'en',
    orientation: 'gay',
    categories: 'night,street',
    models: '',
    visible: 0,
  });
  expect(asForm({ ...FIELDS, isPrivate: true, isExclusive: true })).toMatchObject({
    visible: 1,
    exclusive: 1,
  });
});

it('finds what is wrong with each', () => {
  expect(filmProblems(FIELDS, LIMITS)).toEqual({});
  const wrong = { ...FIELDS, title: 'ab', description: 'longer', categories: [] };
  expect(filmProblems(wrong, LIMITS)).toEqual({
    title: { code: 'min_length', bound: 3 },
    description: { code: 'max_length', bound: 5 },
    categories: { code: 'required' },
  });
});

it('reads what the form holds', () => {
  const data = new FormData();
  data.set('title', ' Harbour ');
  data.set('orientation', 'she');
  data.set('lang', 'ja');
  data.set('visible', '1');
  data.set('exclusive', '1');
  const picked = { categories: FIELDS.categories, models: [] };
  expect(readFields(data, picked, 'en')).toEqual({
    ...FIELDS,
    title: 'Harbour',
    lang: 'ja',
    orientation: 'she',
    isPrivate: true,
    isExclusive: true,
  });
});
