/** What the API's error codes say to people. The texts are made from `config/errors.toml`. */
import i18next from 'i18next';
import { useCallback } from 'react';
import { useT } from '@/i18n';
import type { Lang } from '@/lib/audience';
import type { Info } from '@/lib/http';
import { useVisitor } from '@/lib/visitor';
import { namespace, type Say } from './namespace';

const errors = namespace<string>(
  'errors',
  import.meta.glob<object>('./errors/*.json', { base: '../../../config/texts', import: 'default' }),
);

/** A failure, or what is wrong with a field: `bound` where the app found it, in `info` where the server did. */
export interface ErrorFacts {
  code: string;
  bound?: number;
  info?: Info;
}
const isTold = (error: unknown): error is ErrorFacts =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';

/** A wait in the largest unit that says it well: 45 seconds, 10 minutes, 3 hours. */
export function waitText(seconds: number, lang: string): string {
  const [unit, size] =
    seconds < 100 ? ['second', 1] : seconds < 6000 ? ['minute', 60] : ['hour', 3600];
  const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.ceil(seconds / size)));
}

/** Puts the texts where a later failure finds them. */
export const loadErrorTexts = (lang: Lang): Promise<unknown> => errors.load(lang);

/** What is wrong where no answer came: the visitor's line, as far as the browser knows, or the way to us. */
const lineText = (t: typeof i18next.t): string =>
  navigator.onLine ? t('error.unreachable') : t('error.offline');

function textOf(
  error: unknown,
  say: Say<string>,
  lang: string,
  t: typeof i18next.t,
  other = t('error.unavailable'),
): string {
  if (!isTold(error)) return other;
  if (error.code === 'offline') return lineText(t);
  const { bound, info = {} } = error;
  const { retry_after, per_seconds } = info;
  const text = say(error.code, {
    ...info,
    ...(bound !== undefined && { bound }),
    ...(typeof retry_after === 'number' && { retry_after: waitText(retry_after, lang) }),
    ...(typeof per_seconds === 'number' && { window: waitText(per_seconds, lang) }),
    defaultValue: '',
  });
  return text || other;
}

/** Says what went wrong in the visitor's language, `other` where no text is known; suspends until the texts are here. */
export function useErrorText(): (error: unknown, other?: string) => string {
  const { lang } = useVisitor();
  const t = useT();
  const say = errors.useSay();
  return useCallback((error, other) => textOf(error, say, lang, t, other), [say, lang, t]);
}

/** The same for callers that can't suspend, as a click on a button whose screen needs no texts. */
export async function errorText(error: unknown, lang: Lang): Promise<string> {
  return textOf(error, await errors.load(lang), lang, i18next.t);
}
