import { describe, expect, it } from 'vitest';
import { ACCEPT, doubtOf, FORMATS, isSameFile, refusalOf } from './file-checks';

const MAX = { max_bytes: 1000 };
const LENGTHS = { exclusive_seconds: 360, other_seconds: 600, max_seconds: 7200 };

describe('a file', () => {
  it.each(FORMATS)('may be %s', (format) => {
    expect(refusalOf({ name: `film.${format}`, size: 1 }, MAX)).toBeNull();
    expect(ACCEPT.split(',')).toContain(`.${format}`);
  });
  it.each([
    ['FILM.MP4', 1000, null],
    ['my.holiday.2024.MoV', 1, null],
    ['film.mp4.exe', 1, 'format'],
    ['film.txt', 1, 'format'],
    ['mp4', 1, 'format'],
    ['film.', 1, 'format'],
    ['film.mp4', 0, 'empty'],
    ['film.mp4', 1001, 'size'],
    // What it is comes before how large it is: another size would not help.
    ['film.txt', 1001, 'format'],
  ])('%s of %d bytes: %s', (name, size, refusal) => {
    expect(refusalOf({ name, size }, MAX)).toBe(refusal);
  });
});

describe('a length', () => {
  it.each([
    [null, false, null],
    [600, false, null],
    [599.9, false, 'short'],
    [360, true, null],
    [359.9, true, 'short'],
    [360, false, 'short'],
    [7200, false, null],
    [7200.1, true, 'long'],
  ])('of %s seconds, exclusive %s: %s', (seconds, isExclusive, doubt) => {
    expect(doubtOf(seconds, isExclusive, LENGTHS)).toBe(doubt);
  });
});

it('knows a file again by its name and size', () => {
  const upload = { file_name: 'film.mp4', size_bytes: 10 };
  expect(isSameFile({ name: 'film.mp4', size: 10 }, upload)).toBe(true);
  expect(isSameFile({ name: 'Film.mp4', size: 10 }, upload)).toBe(false);
  expect(isSameFile({ name: 'film.mp4', size: 11 }, upload)).toBe(false);
});
