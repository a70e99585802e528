/** What is said of a film: the form's values, what is wrong with them, and how the call takes them. Pure. */
import type { Form } from '@/api/call';
import { GENDERS, LANGS, type Gender, type Lang } from '@/lib/audience';
import { lengthOf } from '@/lib/length';
import { oneOf } from '@/lib/one-of';
import { found, REQUIRED, textProblem } from '@/ui/form/checks';
import { textField, type Problems } from '@/ui/form/use-form';
import type { Limits } from './file-checks';

/** A category or model. */
export interface Named {
  dir: string;
  title: string;
}

export interface FilmFields {
  title: string;
  description: string;
  lang: Lang;
  orientation: Gender;
  categories: readonly Named[];
  models: readonly Named[];
  isPrivate: boolean;
  isExclusive: boolean;
}

export type Picked = Pick<FilmFields, 'categories' | 'models'>;

/** Names of the form's fields, which are the call's. */
export const FIELDS = [
  'title',
  'description',
  'lang',
  'orientation',
  'categories',
  'models',
  'visible',
  'exclusive',
] as const;

/** `visible` of this call: the reverse of a playlist's form. */
export const VISIBLE = { public: 0, private: 1 } as const;

export function readFields(data: FormData, picked: Picked, lang: Lang): FilmFields {
  return {
    title: textField(data, 'title'),
    description: textField(data, 'description'),
    lang: oneOf(LANGS, data.get('lang'), lang),
    orientation: oneOf(GENDERS, data.get('orientation'), 'str'),
    ...picked,
    isPrivate: textField(data, 'visible') === String(VISIBLE.private),
    isExclusive: data.has('exclusive'),
  };
}

export function filmProblems(
  { title, description, categories }: FilmFields,
  limits: Limits,
): Problems {
  const { title_min, title_max, description_max } = limits;
  return found({
    title: textProblem(title, { min: title_min, max: title_max }),
    description:
      lengthOf(description) > description_max
        ? { code: 'max_length', bound: description_max }
        : null,
    categories: categories.length === 0 ? REQUIRED : null,
  });
}

const dirs = (named: readonly Named[]): string => named.map(({ dir }) => dir).join();

/** The fields as the call takes them. */
export const asForm = (fields: FilmFields): Form<'/api/video_edit.php'> => ({
  title: fields.title,
  description: fields.description,
  lang: fields.lang,
  orientation: fields.orientation,
  categories: dirs(fields.categories),
  models: dirs(fields.models),
  visible: fields.isPrivate ? VISIBLE.private : VISIBLE.public,
  ...(fields.isExclusive && { exclusive: 1 }),
});
