/** Sizes, speeds and parts of a whole by the visitor's language. */

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
    // Whole kilobytes are exact enough.
    maximumFractionDigits: power > 1 && value < 100 ? 1 : 0,
  }).format(value);
}

export const bytesText = (bytes: number, lang: string): string => inUnits(bytes, lang, '');
export const rateText = (rate: number, lang: string): string => inUnits(rate, lang, '-per-second');

/** Whole percent, cut: nothing is done before all of it is. */
export const percentOf = (part: number, whole: number): number =>
  whole > 0 ? Math.floor((100 * part) / whole) : 0;

export const percentText = (percent: number, lang: string): string =>
  new Intl.NumberFormat(lang, { style: 'percent' }).format(percent / 100);
