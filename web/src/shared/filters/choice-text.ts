/** Facets of a list of videos as people read them. */
import type { TFunction } from 'i18next';
import { CHOICES } from '../../../generated/vocabulary';
import { LANGS, OWN_NAMES } from '@/lib/audience';
import { isOneOf } from '@/lib/one-of';
import type { Choice } from '@/search/listing';

/** Facets that are shown before the others. */
const FIRST: readonly Choice[] = ['duration', 'date'];

/** Facets in the order in which they are shown. */
export const SHOWN = [
  ...CHOICES.filter(({ name }) => FIRST.includes(name)),
  ...CHOICES.filter(({ name }) => !FIRST.includes(name)),
];

/** Returns the text for a facet's value. Each facet has its texts under its name, but each language has its own name for itself. */
export const choiceText = (name: Choice, value: string, t: TFunction): string =>
  name === 'spoken' && isOneOf(LANGS, value)
    ? OWN_NAMES[value]
    : t(`${name}.${value}` as 'type.all');
