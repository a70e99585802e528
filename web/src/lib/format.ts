/** Formats numbers, dates and names for a language. Intl objects are expensive to create, so they are cached. */

function byLang<T>(make: (lang: string) => T): (lang: string) => T {
  const made = new Map<string, T>();
  return (lang) => {
    const old = made.get(lang);
    if (old) return old;
    const fresh = make(lang);
    made.set(lang, fresh);
    return fresh;
  };
}

const whole = byLang((lang) => new Intl.NumberFormat(lang));
const tenth = byLang((lang) => new Intl.NumberFormat(lang, { maximumFractionDigits: 1 }));
const percent = byLang((lang) => new Intl.NumberFormat(lang, { style: 'percent' }));
const relative = byLang((lang) => new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }));
const shortRelative = byLang(
  (lang) => new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' }),
);
const longDate = byLang((lang) => new Intl.DateTimeFormat(lang, { dateStyle: 'long' }));
const regions = byLang((lang) => new Intl.DisplayNames(lang, { type: 'region', fallback: 'code' }));
const shortRegions = byLang(
  (lang) => new Intl.DisplayNames(lang, { type: 'region', fallback: 'code', style: 'short' }),
);
/** Countries whose long names are too formal. The server uses their short names, too. */
const SHORT = ['HK', 'MO', 'PS'];
const languages = byLang((lang) => new Intl.DisplayNames(lang, { type: 'language' }));

export const formatNumber = (value: number, lang: string): string => whole(lang).format(value);

/**
 * Abbreviates with K from 4 digits and M from 7. The number is truncated, never rounded up into the next unit, and has one decimal
 * below 100.
 */
export function abbreviate(value: number, lang: string): string {
  const [unit, sign] =
    value >= 1_000_000 ? [1_000_000, 'M'] : value >= 1000 ? [1000, 'K'] : [1, ''];
  const scaled = value / unit;
  const cut = scaled >= 100 ? Math.floor(scaled) : Math.floor(scaled * 10) / 10;
  return tenth(lang).format(cut) + sign;
}

/** Formats a share from 0 to 1 as a percentage. */
export const sharePercent = (share: number, lang: string): string => percent(lang).format(share);

/** Formats the share of likes as a percentage. */
export const likedPercent = (likes: number, dislikes: number, lang: string): string =>
  sharePercent(Math.round((100 * likes) / (likes + dislikes)) / 100, lang);

/** Formats a rating from 0 to 5 as a percentage, i.e. divides it by 0.05. */
export const ratingPercent = (rating: number, lang: string): string =>
  sharePercent(Math.round(rating / 0.05) / 100, lang);

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * Formats an age such as "3 months ago", or "3 mo. ago" if it is short. An age below one minute (or a negative one, if a clock is ahead)
 * is formatted as "now".
 */
export function age(date: string, lang: string, now: number = Date.now(), isShort = false): string {
  const format = (isShort ? shortRelative : relative)(lang);
  const seconds = Math.max(0, (now - Date.parse(date)) / 1000);
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return format.format(-Math.floor(seconds / size), unit);
  }
  return format.format(0, 'second');
}

export const fullDate = (date: string, lang: string): string =>
  longDate(lang).format(new Date(date));

export function countryName(code: string, lang: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return (SHORT.includes(code) ? shortRegions : regions)(lang).of(code) ?? code;
}

/** Returns a language's name in the visitor's language. */
export const languageName = (code: string, lang: string): string =>
  languages(lang).of(code) ?? code;
