/** Facets of a list of videos as people read them. */
import type { TFunction } from 'i18next';
import { CHOICES } from '../../../generated/vocabulary';
import type { Choice } from '@/search/listing';

/** Facets that are shown before the others. */
const FIRST: readonly Choice[] = ['duration', 'date'];

/** Facets in the order in which they are shown. */
export const SHOWN = [
  ...CHOICES.filter(({ name }) => FIRST.includes(name)),
  ...CHOICES.filter(({ name }) => !FIRST.includes(name)),
];

/** Returns the text for a facet's value. Each facet has its texts under its name. */
export const choiceText = (name: Choice, value: string, t: TFunction): string =>
  t(`${name}.${value}` as 'type.all');
