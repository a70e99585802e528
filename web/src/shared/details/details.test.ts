import { expect, it } from 'vitest';
import { asDetails, detailsProblems, readDetails, type Details } from './details';

const LIMITS = {
  title_min: 3,
  title_max: 10,
  description_max: 5,
  max_categories: 3,
  max_models: 20,
};
const DETAILS: Details = {
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
};

it('encodes the details for the API', () => {
  expect(asDetails(DETAILS)).toEqual({
    title: 'Harbour',
    description: '',
    lang: 'en',
    orientation: 'gay',
    categories: 'night,street',
    models: '',
    visible: 0,
  });
  expect(asDetails({ ...DETAILS, isPrivate: true })).toMatchObject({ visible: 1 });
});

it('validates each field', () => {
  expect(detailsProblems(DETAILS, LIMITS)).toEqual({});
  const wrong = { ...DETAILS, title: 'ab', description: 'longer', categories: [] };
  expect(detailsProblems(wrong, LIMITS)).toEqual({
    title: { code: 'min_length', bound: 3 },
    description: { code: 'max_length', bound: 5 },
    categories: { code: 'required' },
  });
});

it('reads the form’s values', () => {
  const data = new FormData();
  data.set('title', ' Harbour ');
  data.set('orientation', 'she');
  data.set('lang', 'ja');
  data.set('visible', '1');
  const picked = { categories: DETAILS.categories, models: [] };
  expect(readDetails(data, picked, 'en')).toEqual({
    ...DETAILS,
    title: 'Harbour',
    lang: 'ja',
    orientation: 'she',
    isPrivate: true,
  });
});
