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

it('finds beginnings, then beginnings of words, then the rest', () => {
  expect(found('mark')).toEqual(['Märkte', 'Night market', 'Supermarket']);
});
it('needs neither case nor accents of Latin letters', () => {
  expect(found(' CAFE ')).toEqual(['Café']);
});
it('keeps the marks that make another letter', () => {
  expect(found('カー')).toEqual(['カーテン']);
});
it('shows all for nothing, and nothing for what is not there', () => {
  expect(found('')).toHaveLength(list.length);
  expect(found('xyz')).toEqual([]);
});
