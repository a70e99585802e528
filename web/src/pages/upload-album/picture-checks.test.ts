import { describe, expect, it } from 'vitest';
import { bytesDoubt, headDoubt, sizeDoubt } from './picture-checks';
import { headOf, kindOf } from './picture-head';

/** Returns bytes from hexadecimal digits and quoted text. */
function bytes(spec: string): ArrayBuffer {
  const out: number[] = [];
  for (const [part] of spec.matchAll(/"[^"]*"|[0-9a-f]{2}/g)) {
    if (part.startsWith('"'))
      out.push(...Array.from(part.slice(1, -1), (letter) => letter.charCodeAt(0)));
    else out.push(parseInt(part, 16));
  }
  return new Uint8Array(out).buffer;
}

const PNG = '89 "PNG" 0d 0a 1a 0a 0000000d "IHDR" 00000280 000001e0 08 06 00 00 00 00000000';

describe('the first bytes', () => {
  it.each([
    ['a PNG', `${PNG} 00000000 "IDAT"`, 640, 480, false],
    ['a PNG that moves', `${PNG} 00000008 "acTL" 0000000200000000 00000000`, 640, 480, true],
    ['a GIF', '"GIF89a" 8002 e001 00 00 00', 640, 480, false],
    ['a WebP', `"RIFF" 00000000 "WEBPVP8 " 00000000 300100 9d012a 8002 e001`, 640, 480, false],
    [
      'a WebP without loss',
      '"RIFF" 00000000 "WEBPVP8L" 00000000 2f 7fc27700 0000000000',
      640,
      480,
      false,
    ],
    [
      'a WebP that moves',
      '"RIFF" 00000000 "WEBPVP8X" 0a000000 02 000000 7f0200 df0100',
      640,
      480,
      true,
    ],
    ['a JPEG', 'ffd8 ffe0 0004 0000 ffff c4 0003 00 ffc2 0011 08 01e0 0280 03', 640, 480, false],
  ])('of %s', (_, spec, width, height, isAnimated) =>
    expect(headOf(bytes(spec))).toEqual({ width, height, isAnimated }),
  );

  it.each([
    ['nothing', ''],
    ['a text', '"<svg xmlns="'],
    ['a cut PNG', '89 "PNG" 0d 0a 1a 0a 0000'],
    ['a cut GIF', '"GIF89a" 80'],
    ['a cut WebP', '"RIFF" 00000000 "WEBPVP8X" 0a'],
    ['a sound in the same container', '"RIFF" 00000000 "WAVEfmt " 00000000000000000000000000'],
    ['a JPEG without a frame', 'ffd8 ffe0 0004 0000 ffd9'],
    ['a JPEG that goes astray', 'ffd8 ffe0 0003 00 11 2233445566778899aabb'],
  ])('of %s say nothing', (_, spec) => expect(headOf(bytes(spec))).toBeNull());

  it('distinguish pictures from other files', () => {
    const kinds = [
      `${PNG} 00`,
      '"GIF87a"',
      '"RIFF" 00000000 "WEBP"',
      'ffd8ffe1',
      '"<svg"',
      '"RIFF" 00000000 "WAVE"',
      '',
    ];
    expect(kinds.map((spec) => kindOf(bytes(spec)))).toEqual([
      'png',
      'gif',
      'webp',
      'jpeg',
      null,
      null,
      null,
    ]);
  });
});

const LIMITS = {
  max_bytes: 100,
  max_side: 2000,
  max_pixels: 1_000_000,
  min_width: 320,
  min_height: 200,
};
const head = (width: number, height: number, isAnimated = false) => ({ width, height, isAnimated });

it('refuses by bytes', () =>
  expect([0, 1, 100, 101].map((size) => bytesDoubt(size, LIMITS))).toEqual([
    'empty',
    null,
    null,
    'bytes',
  ]));

it('refuses by size', () => {
  expect(sizeDoubt(head(320, 200), LIMITS)).toBeNull();
  expect(sizeDoubt(head(319, 200), LIMITS)).toBe('tooSmall');
  expect(sizeDoubt(head(320, 199), LIMITS)).toBe('tooSmall');
  expect(sizeDoubt(head(2001, 300), LIMITS)).toBe('tooLarge');
  expect(sizeDoubt(head(1001, 1000), LIMITS)).toBe('tooLarge');
});

it('leaves open what rotation may fix', () => {
  expect(headDoubt(head(200, 320), LIMITS)).toBeNull();
  expect(headDoubt(head(100, 100), LIMITS)).toBe('tooSmall');
  expect(headDoubt(head(640, 480, true), LIMITS)).toBe('animated');
});
