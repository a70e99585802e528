/** A video's or album's details: form values, validation and encoding. This module is pure. */
import type { Schema } from '@/api/call';
import { GENDERS, LANGS, type Gender, type Lang } from '@/lib/audience';
import { lengthOf } from '@/lib/length';
import { oneOf } from '@/lib/one-of';
import { found, REQUIRED, textProblem } from '@/ui/form/checks';
import { textField, type Problems } from '@/ui/form/use-form';

/** A category or model. */
export interface PickOption {
  dir: string;
  title: string;
  /** What tells a model apart from others of this name. */
  detail?: string | undefined;
}

export interface Details {
  title: string;
  description: string;
  lang: Lang;
  orientation: Gender;
  categories: readonly PickOption[];
  models: readonly PickOption[];
  isPrivate: boolean;
}

export type ChosenNames = Pick<Details, 'categories' | 'models'>;

export type DetailLimits = Pick<
  Schema<'UploadLimits'>,
  'title_min' | 'title_max' | 'description_max' | 'max_categories' | 'max_models'
>;

/** Names of the form's fields, which are the same as in the API. */
export const FIELDS = [
  'title',
  'description',
  'lang',
  'orientation',
  'categories',
  'models',
  'visible',
] as const;

/** The values of `visible` in these calls, which are the reverse of those in a playlist's form. */
export const VISIBLE = { public: 0, private: 1 } as const;

export function readDetails(data: FormData, picked: ChosenNames, lang: Lang): Details {
  return {
    title: textField(data, 'title'),
    description: textField(data, 'description'),
    lang: oneOf(LANGS, data.get('lang'), lang),
    orientation: oneOf(GENDERS, data.get('orientation'), 'str'),
    ...picked,
    isPrivate: textField(data, 'visible') === String(VISIBLE.private),
  };
}

export function detailsProblems(
  { title, description, categories }: Details,
  { title_min, title_max, description_max }: DetailLimits,
): Problems {
  return found({
    title: textProblem(title, { min: title_min, max: title_max }),
    description:
      lengthOf(description) > description_max
        ? { code: 'max_length', bound: description_max }
        : null,
    categories: categories.length === 0 ? REQUIRED : null,
  });
}

const dirs = (named: readonly PickOption[]): string => named.map(({ dir }) => dir).join();

/** Encodes the details for the API. */
export const asDetails = (details: Details) => ({
  title: details.title,
  description: details.description,
  lang: details.lang,
  orientation: details.orientation,
  categories: dirs(details.categories),
  models: dirs(details.models),
  visible: details.isPrivate ? VISIBLE.private : VISIBLE.public,
});
