/** The fields of a profile as the form has them. */
import type { Answer } from '@/api/call';

export type Profile = Answer<'/api/member.php'>['user'];

export const GENDERS = ['male', 'female', 'trans', 'couple'] as const;
export const RELATIONSHIPS = [
  'single',
  'in_relationship',
  'married',
  'open',
  'complicated',
] as const;
export const ORIENTATIONS = ['straight', 'gay', 'lesbian', 'bisexual'] as const;

/** Free texts: one line or some. */
export const LINES = ['city', 'education', 'occupation', 'website'] as const;
export const TEXTS = ['interests', 'about'] as const;

export const FORM_FIELDS = [
  'gender',
  'birth_date',
  'relationship',
  'orientation',
  'country',
  ...LINES,
  ...TEXTS,
  'u_ava',
  'u_cover',
] as const;
export type TextField = Exclude<(typeof FORM_FIELDS)[number], 'u_ava' | 'u_cover'>;

/** What the inputs hold at first: what is not said is empty. */
export const valuesOf = (profile: Profile): Record<TextField, string> => {
  const names = FORM_FIELDS.filter((name): name is TextField => !name.startsWith('u_'));
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? ''])) as Record<
    TextField,
    string
  >;
};

/** The latest day of birth of somebody who is 18 today, as a date input wants it. */
export function adultSince(now: Date): string {
  const day = new Date(Date.UTC(now.getUTCFullYear() - 18, now.getUTCMonth(), now.getUTCDate()));
  return day.toISOString().slice(0, 10);
}
