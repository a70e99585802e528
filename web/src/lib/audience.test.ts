import { expect, it } from 'vitest';
import { LANGS, OWN_NAMES } from './audience';

it.each(LANGS)('the name of %s matches the browser’s, with a capital letter', (lang) => {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? '';
  expect(OWN_NAMES[lang]).toBe(name.charAt(0).toLocaleUpperCase(lang) + name.slice(1));
});
