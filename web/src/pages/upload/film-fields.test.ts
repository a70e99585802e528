import { expect, it } from 'vitest';
import { asForm, type FilmFields } from './film-fields';

const FIELDS: FilmFields = {
  title: 'Harbour',
  description: '',
  lang: 'en',
  orientation: 'gay',
  categories: [{ dir: 'night', title: 'Night' }],
  models: [],
  isPrivate: true,
  isExclusive: false,
};

it('includes the site-only flag if set', () => {
  expect(asForm(FIELDS)).toMatchObject({ title: 'Harbour', categories: 'night', visible: 1 });
  expect(asForm(FIELDS)).not.toHaveProperty('exclusive');
  expect(asForm({ ...FIELDS, isExclusive: true })).toMatchObject({ exclusive: 1 });
});
