/** A title to begin with, from the name of the file. Pure. */

/** What cameras and programs add to a name, and nobody would say. */
const NOISE = /\b(?:\d{3,4}p|4k|uhd|fhd|hd|x26[45]|h\s?26[45]|hevc|web-?rip|web-?dl)\b/giu;
/** Names that a device gave; they say nothing of what is seen. */
const NAMED_BY_DEVICE = /^(?:img|vid|mov|dsc[fn]?|pxl|gopr|gx|mvi|video|film|clip|rec)?[\s\d-]*$/iu;

export function titleFrom(fileName: string, longest: number): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .replace(/[_.+]+/g, ' ')
    // A dash between words stands for a blank; between digits it is a date's, and with blanks around it its own.
    .replace(/(?<=[^\s\d])-(?=\S)|(?<=\S)-(?=[^\s\d])/g, ' ')
    .replace(NOISE, ' ')
    .replace(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s–-]+|[\s–-]+$/g, '');
  if (NAMED_BY_DEVICE.test(words)) return '';
  const [first = '', ...rest] = Array.from(words);
  return [first.toUpperCase(), ...rest].slice(0, longest).join('').trimEnd();
}
