/** Facets of a list of videos as people read them. */
import type { TFunction } from 'i18next';
import { CHOICES } from '../../../generated/vocabulary';
import { LANGS, OWN_NAMES } from '@/lib/audience';
import { isOneOf } from '@/lib/one-of';
import type { Choice } from '@/search/listing';

/** Facets that are shown before categories and models: most visitors want one of these, and they take little space. */
const FIRST: readonly Choice[] = ['duration', 'date', 'type'];

/** Returns the facets of one part of the filters, in the order in which they are shown. */
const part = (isFirst: boolean) =>
  CHOICES.filter(({ name }) => FIRST.includes(name) === isFirst).sort(
    (a, b) => FIRST.indexOf(a.name) - FIRST.indexOf(b.name),
  );
export const ABOVE_NAMES = part(true);
export const BELOW_NAMES = part(false);

/** Returns the text for a facet's value. Each facet has its texts under its name, but each language has its own name for itself. */
export const choiceText = (name: Choice, value: string, t: TFunction): string =>
  name === 'spoken' && isOneOf(LANGS, value)
    ? OWN_NAMES[value]
    : t(`${name}.${value}` as 'type.all');
