import { expect, it } from 'vitest';
import { captionLanguages } from './languages';

it('lists languages by their names', () => {
  const german = captionLanguages('de');
  expect(german.find(({ code }) => code === 'cs')).toEqual({ code: 'cs', name: 'Tschechisch' });
  expect(german.length).toBeGreaterThan(150);
  expect(german.map(({ name }) => name)).toEqual(
    german.map(({ name }) => name).sort(new Intl.Collator('de').compare),
  );
});

it('leaves out withdrawn codes', () => {
  const codes = captionLanguages('en').map(({ code }) => code);
  expect(codes).toContain('he');
  expect(codes).not.toContain('iw');
  expect(codes).not.toContain('zz');
});
