/** The fields of the profile form. */
import type { Answer } from '@/api/call';
import { found, type Problem } from '@/ui/form/checks';
import { textField, type Problems } from '@/ui/form/use-form';

type ProfileAnswer = Answer<'/api/member.php'>;
export type Profile = ProfileAnswer['user'];
export type PictureLimits = ProfileAnswer['limits'];

export const GENDERS = ['male', 'female', 'trans', 'couple'] as const;
export const RELATIONSHIPS = [
  'single',
  'in_relationship',
  'married',
  'open',
  'complicated',
] as const;
export const ORIENTATIONS = ['straight', 'gay', 'lesbian', 'bisexual'] as const;

/** Names of the free texts: single-line and multi-line. */
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

/** Returns the inputs' initial values. Missing values are empty. */
export const valuesOf = (profile: Profile): Record<TextField, string> => {
  const names = FORM_FIELDS.filter((name): name is TextField => !name.startsWith('u_'));
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? ''])) as Record<
    TextField,
    string
  >;
};

/** `until` is the latest date of birth that an adult can have. */
const birthProblem = (date: string, until: string): Problem =>
  date > until ? { code: 'birth_date_not_adult' } : null;

/** Accepts only web addresses, i.e. no scripts and no relative links. */
function websiteProblem(address: string): Problem {
  if (address === '') return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWhole = url && /^https?:$/.test(url.protocol) && url.hostname.includes('.');
  return isWhole && address.includes('://') ? null : { code: 'website_invalid' };
}

/** Converts bytes to decimal megabytes. */
export const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000);

export const pictureProblem = (
  file: File | null | undefined,
  { max_bytes }: Pick<PictureLimits, 'max_bytes'>,
): Problem =>
  file && file.size > max_bytes ? { code: 'picture_too_large', bound: megabytes(max_bytes) } : null;

/** Validates in the browser. The server validates again, and its result counts. */
export const profileProblems = (data: FormData, bornUntil: string): Problems =>
  found({
    birth_date: birthProblem(textField(data, 'birth_date'), bornUntil),
    website: websiteProblem(textField(data, 'website')),
  });
