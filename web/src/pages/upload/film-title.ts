/** Derives an initial title from the file name. Pure. */

/** Technical additions by cameras and programs. */
const NOISE = /\b(?:\d{3,4}p|4k|uhd|fhd|hd|x26[45]|h\s?26[45]|hevc|web-?rip|web-?dl)\b/giu;
/** Device-generated names, which say nothing about the content. */
const NAMED_BY_DEVICE = /^(?:img|vid|mov|dsc[fn]?|pxl|gopr|gx|mvi|video|film|clip|rec)?[\s\d-]*$/iu;

export function titleFrom(fileName: string, longest: number): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .replace(/[_.+]+/g, ' ')
    // A dash between words becomes a space; one between digits is a date's and stays, as does one with spaces around it.
    .replace(/(?<=[^\s\d])-(?=\S)|(?<=\S)-(?=[^\s\d])/g, ' ')
    .replace(NOISE, ' ')
    .replace(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s–-]+|[\s–-]+$/g, '');
  if (NAMED_BY_DEVICE.test(words)) return '';
  const [first = '', ...rest] = Array.from(words);
  return [first.toUpperCase(), ...rest].slice(0, longest).join('').trimEnd();
}
