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
  chapters: '0:00 Opening',
  isExclusive: false,
  publishAt: null,
};

it('includes the site-only flag if set', () => {
  expect(asForm(FIELDS)).toMatchObject({ title: 'Harbour', categories: 'night', visible: 1 });
  expect(asForm(FIELDS)).not.toHaveProperty('exclusive');
  expect(asForm({ ...FIELDS, isExclusive: true })).toMatchObject({ exclusive: 1 });
});

it('includes the time of publication, also none, unless it stays as it is', () => {
  expect(asForm(FIELDS)).not.toHaveProperty('publish_at');
  const publishAt = '2027-01-31T17:00:00.000Z';
  expect(asForm({ ...FIELDS, publishAt })).toMatchObject({ publish_at: publishAt });
  expect(asForm({ ...FIELDS, publishAt: '' })).toMatchObject({ publish_at: 'now' });
});
