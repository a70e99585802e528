/** Checks that forms make in the browser. This module is pure. */
import { lengthOf } from '@/lib/length';
import type { Problems } from './use-form';

/** A field's error, or null. */
export type Problem = NonNullable<Problems[string]> | null;

export const REQUIRED = { code: 'required' };
/** Accepts anything that has an @ followed by something with a dot. The confirmation mail verifies the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Drops the fields that have no error. */
export const found = (problems: Record<string, Problem>): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem)) as Problems;

/** Validates a trimmed text. `short` is the error code that the call uses for a text that is too short. */
export function textProblem(
  text: string,
  { min, max }: { min: number; max: number },
  short = 'min_length',
): Problem {
  const count = lengthOf(text.trim());
  if (count === 0) return REQUIRED;
  if (count < min) return { code: short, bound: min };
  return count > max ? { code: 'max_length', bound: max } : null;
}

export const required = (value: string): Problem => (value === '' ? REQUIRED : null);

/** `invalid` is the error code that the form's call uses. */
export function emailProblem(email: string, invalid: 'eml_invalid' | 'email_invalid'): Problem {
  if (email === '') return REQUIRED;
  return EMAIL.test(email) ? null : { code: invalid };
}
