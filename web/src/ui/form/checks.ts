/** What forms check before they send anything. Pure. */
import { lengthOf } from '@/lib/length';
import type { Problems } from './use-form';

/** What is wrong with a field, or nothing. */
export type Problem = NonNullable<Problems[string]> | null;

export const REQUIRED = { code: 'required' };
/** Something at something with a dot: the mail that is sent tells the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The problems that are there, by field. */
export const found = (problems: Record<string, Problem>): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem)) as Problems;

/** What is wrong with a text, blanks around it apart; `short` is the call's own code for too little. */
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

/** `invalid` is the code of the call the form goes to. */
export function emailProblem(email: string, invalid: 'eml_invalid' | 'email_invalid'): Problem {
  if (email === '') return REQUIRED;
  return EMAIL.test(email) ? null : { code: invalid };
}
