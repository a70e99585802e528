import { expect, it } from 'vitest';
import { fitting } from './fitting';

const list = [
  'Street',
  'Night market',
  'Märkte',
  'Café',
  'Supermarket',
  'ガーデン',
  'カーテン',
].map((title) => ({ dir: title, title }));
const found = (text: string) => fitting(list, text).map(({ title }) => title);

it('ranks prefixes, then word prefixes, then other matches', () =>
  expect(found('mark')).toEqual(['Märkte', 'Night market', 'Supermarket']));
it('ignores case and accents of Latin letters', () => expect(found(' CAFE ')).toEqual(['Café']));
it('respects marks that make a different letter', () =>
  expect(found('カー')).toEqual(['カーテン']));
it('returns everything for an empty text, nothing without a match', () => {
  expect(found('')).toHaveLength(list.length);
  expect(found('xyz')).toEqual([]);
});
