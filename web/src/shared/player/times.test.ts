import { expect, it } from 'vitest';
import { timeParts } from './times';

const HOUR = 3600;
const found = (text: string, duration = 2 * HOUR) =>
  timeParts(text, duration).flatMap(({ text: time, at }) => (at === undefined ? [] : [[time, at]]));

it('finds times in every common form', () => {
  expect(found('0:00 and 1:23, (02:05) [1:02:03].')).toEqual([
    ['0:00', 0],
    ['1:23', 83],
    ['02:05', 125],
    ['1:02:03', 3723],
  ]);
  expect(found('75:30–76:00')).toEqual([
    ['75:30', 4530],
    ['76:00', 4560],
  ]);
  expect(found('散歩１：２３が好き')).toEqual([['１：２３', 83]]);
  expect(found('1:23!')).toEqual([['1:23', 83]]);
});

it.each([
  '10:30 pm',
  '10:30pm',
  '10:30 a.m.',
  '1:60',
  '1:60:00',
  '1:2',
  '1:02:03:04',
  '1.5:20',
  '1:23.5',
  '16:9',
  'a1:23',
  '1:23x',
  'https://example.com/1:23',
  'https://example.com:8080',
  'https://example.com/?t=1:23',
  '3:00:00',
  '1234:56',
  '',
])('leaves %s alone', (text) => {
  expect(found(text)).toEqual([]);
  expect(timeParts(text, 2 * HOUR).map((part) => part.text)).toEqual(text ? [text] : []);
});

it('only finds times of the film', () => {
  expect(found('1:22 1:23 1:24', 83)).toEqual([['1:22', 82]]);
});

it('keeps the text', () => {
  const text = '<b>1:23</b>\n<script>0:05</script> “2:00”';
  const parts = timeParts(text, HOUR);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ at }) => at !== undefined)).toHaveLength(3);
});
