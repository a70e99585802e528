import { describe, expect, it } from 'vitest';
import { isCutOff } from './cut-off';
import { isPicture } from './pictures';

const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const long = (number: number) => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255);
/** A box of an MP4 file that declares `size` bytes and has `length`. */
const box = (name: string, size: number, length = size) => [
  ...long(size),
  ...letters(name),
  ...Array<number>(length - 8).fill(0),
];
const file = (...parts: number[][]) => new Blob([new Uint8Array(parts.flat())]);
const HEAD = box('ftyp', 16);
/** A Matroska file whose segment declares `size` bytes and has four. */
const matroska = (...size: number[]) =>
  file([0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67], size, [1, 2, 3, 4]);

describe('a file that ends too early', () => {
  it.each([
    ['has its index first', file(HEAD, box('moov', 16), box('mdat', 24)), false],
    ['has its index last', file(HEAD, box('mdat', 24), box('moov', 16)), false],
    ['lacks the end of its film', file(HEAD, box('moov', 16), box('mdat', 24, 23)), true],
    ['lacks its index', file(HEAD, box('mdat', 24)), true],
    ['lacks the end of its index', file(HEAD, box('mdat', 24), box('moov', 16, 15)), true],
    ['has a film that extends to the end', file(HEAD, box('moov', 16), box('mdat', 0, 24)), false],
    [
      'has a long film',
      file(
        HEAD,
        box('moov', 16),
        [...box('mdat', 1, 8), ...long(0), ...long(24)],
        long(0),
        long(0),
      ),
      false,
    ],
    [
      'lacks the end of a long film',
      file(HEAD, box('moov', 16), [...box('mdat', 1, 8), ...long(1), ...long(0)]),
      true,
    ],
    ['has something appended', file(HEAD, box('moov', 16), long(99), long(0)), false],
    ['is a complete AVI file', file(letters('RIFF'), [4, 0, 0, 0], letters('AVI ')), false],
    ['is an AVI file without its end', file(letters('RIFF'), [5, 0, 0, 0], letters('AVI ')), true],
    ['is a complete Matroska file', matroska(1, 0, 0, 0, 0, 0, 0, 4), false],
    ['is a Matroska file without its end', matroska(1, 0, 0, 0, 0, 0, 0, 5), true],
    ['is a Matroska file with a short size', matroska(0x40, 0, 0, 0, 0, 0, 0, 5), false],
    ['is a live recording', matroska(1, 255, 255, 255, 255, 255, 255, 255), false],
    ['is something else', file(letters('something else')), false],
    ['has a single byte', file([0x1a]), false],
  ])('%s: %s', async (_, blob, expected) => expect(await isCutOff(blob)).toBe(expected));

  it('is not searched for in many fragments', async () => {
    const boxes = Array.from({ length: 1000 }, () => box('moof', 8));
    expect(await isCutOff(file(HEAD, ...boxes))).toBe(false);
  });
});

it('recognizes pictures by their content', async () => {
  for (const head of [
    'GIF89a',
    '\x89PNG\r\n',
    '\xff\xd8\xff\xe0',
    'RIFFabcdWEBP',
    'BMabcd\0\0\0\0',
  ])
    expect(await isPicture(file(letters(head)))).toBe(true);
  for (const head of ['RIFFabcdAVI ', 'BM', '', 'GIF'])
    expect(await isPicture(file(letters(head)))).toBe(false);
});
