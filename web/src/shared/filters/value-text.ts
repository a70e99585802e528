/** Returns the text for a model filter's code in the visitor's language. */
import type { TFunction } from 'i18next';
import { countryName, formatNumber } from '@/lib/format';
import { isOneOf } from '@/lib/one-of';
import { type RangeFilter } from '@/search/listing';
import type { ChoiceFilter } from '@/search/model-listing';

const CODES = {
  race: ['asian', 'black', 'indian', 'latin', 'middle_eastern', 'mixed', 'white'],
  tits_size: ['small', 'medium', 'large', 'very_large'],
  hair_color: ['black', 'blonde', 'brown', 'red', 'gray', 'colored'],
} as const;

/** `fallback` is the name from the API, for codes that this build does not know. */
export function valueText(
  name: ChoiceFilter,
  code: string,
  { t, lang, fallback = code }: { t: TFunction; lang: string; fallback?: string | undefined },
): string {
  if (name === 'country') return countryName(code, lang);
  if (name === 'race' && isOneOf(CODES.race, code)) return t(`value.race.${code}`);
  if (name === 'tits_size' && isOneOf(CODES.tits_size, code)) return t(`value.size.${code}`);
  if (name === 'hair_color' && isOneOf(CODES.hair_color, code)) return t(`value.hair.${code}`);
  if ((name === 'tattoo' || name === 'piercing') && (code === 'yes' || code === 'no')) {
    return t(`value.${code}`);
  }
  return fallback;
}

/** Formats an age, height or weight with its unit. */
export const unitText = (
  name: RangeFilter,
  value: number,
  { t, lang }: { t: TFunction; lang: string },
): string =>
  name === 'age'
    ? t('unit.age', { count: value })
    : t(`unit.${name}`, { value: formatNumber(value, lang) });

/** Formats a range, e.g. `160.170` as `160–170 cm`. Ages need no unit next to their name. */
export function spanText(name: RangeFilter, range: string, t: TFunction): string {
  const [low = '', high = ''] = range.split('.');
  const span = low === high ? low : `${low}–${high}`;
  return name === 'age' ? span : t(`unit.${name}`, { value: span });
}
