import { expect, it } from 'vitest';
import { LANGS, OWN_NAMES } from './audience';

it.each(LANGS)('%s is called as the browser has it, with a capital letter', (lang) => {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? '';
  expect(OWN_NAMES[lang]).toBe(name.charAt(0).toLocaleUpperCase(lang) + name.slice(1));
});
