import { describe, expect, it } from 'vitest';
import { accepted, doubtOf, isHopeless, isSameFile, refusalOf, UNKNOWN } from './file-checks';

const MAX = { formats: ['mp4', 'mov'], max_bytes: 1000 };
const LENGTHS = { exclusive_seconds: 360, other_seconds: 600, max_seconds: 7200 };

describe('a file', () => {
  it('is accepted like on the server', () => {
    expect(accepted(MAX)).toBe('video/*,.mp4,.mov');
    expect(refusalOf({ name: 'film.mkv', size: 1 }, MAX)).toBe('format');
    const formats = [...MAX.formats, 'mkv'];
    expect(refusalOf({ name: 'film.mkv', size: 1 }, { ...MAX, formats })).toBeNull();
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
    // The format error comes before the size error, because another size would not help.
    ['film.txt', 1001, 'format'],
  ])('%s of %d bytes: %s', (name, size, refusal) =>
    expect(refusalOf({ name, size }, MAX)).toBe(refusal),
  );
});

describe('a duration', () => {
  it.each([
    [null, false, null],
    [600, false, null],
    [599.9, false, 'short'],
    [360, true, null],
    [359.9, true, 'short'],
    [360, false, 'short'],
    [7200, false, null],
    [7200.1, true, 'long'],
  ])('of %s seconds, exclusive %s: %s', (seconds, isExclusive, doubt) =>
    expect(doubtOf({ content: 'video', seconds }, isExclusive, LENGTHS)).toBe(doubt),
  );
  it.each([
    ['picture', true],
    ['sound', true],
    ['cutOff', false],
  ] as const)('does not matter for: %s', (content, hopeless) => {
    expect(doubtOf({ content, seconds: 600 }, false, LENGTHS)).toBe(content);
    expect(isHopeless(content)).toBe(hopeless);
  });
  it('is left to the server if it is unknown', () =>
    expect(doubtOf(UNKNOWN, false, LENGTHS)).toBeNull());
});

it('recognizes a file by name and size', () => {
  const upload = { file_name: 'film.mp4', size_bytes: 10 };
  expect(isSameFile({ name: 'film.mp4', size: 10 }, upload)).toBe(true);
  expect(isSameFile({ name: 'Film.mp4', size: 10 }, upload)).toBe(false);
  expect(isSameFile({ name: 'film.mp4', size: 11 }, upload)).toBe(false);
});
