/** Formats sizes, speeds and percentages for the visitor's language. */

const STEP = 1024;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function inUnits(bytes: number, lang: string, per: '' | '-per-second'): string {
  let power = 0;
  let value = bytes;
  while (value >= STEP && power < UNITS.length - 1) {
    value /= STEP;
    power += 1;
  }
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: `${UNITS[power] ?? 'byte'}${per}`,
    // Whole kilobytes are precise enough.
    maximumFractionDigits: power > 1 && value < 100 ? 1 : 0,
  }).format(value);
}

export const bytesText = (bytes: number, lang: string): string => inUnits(bytes, lang, '');
export const rateText = (rate: number, lang: string): string => inUnits(rate, lang, '-per-second');

/** Returns whole percent, truncated, so that 100% means complete. */
export const percentOf = (part: number, whole: number): number =>
  whole > 0 ? Math.floor((100 * part) / whole) : 0;

export const percentText = (percent: number, lang: string): string =>
  new Intl.NumberFormat(lang, { style: 'percent' }).format(percent / 100);
