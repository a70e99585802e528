/** Texts for the API's error codes, generated from `config/errors.toml`. */
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

/** A failure or an invalid field. The app's own checks set `bound`, and the server sets `info`. */
export interface ErrorFacts {
  code: string;
  bound?: number;
  info?: Info;
}
const isTold = (error: unknown): error is ErrorFacts =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';

/** Formats a wait in the largest fitting unit: 45 seconds, 10 minutes, 3 hours. */
export function waitText(seconds: number, lang: string): string {
  const [unit, size] =
    seconds < 100 ? ['second', 1] : seconds < 6000 ? ['minute', 60] : ['hour', 3600];
  const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.ceil(seconds / size)));
}

/** Preloads the texts, in case something fails later. */
export const loadErrorTexts = (lang: Lang): Promise<unknown> => errors.load(lang);

/** Text for a request without a response: either the browser says that it is offline, or the server is unreachable. */
const connectionText = (t: typeof i18next.t): string =>
  navigator.onLine ? t('error.unreachable') : t('error.offline');

function textOf(
  error: unknown,
  say: Say<string>,
  lang: string,
  t: typeof i18next.t,
  other = t('error.unavailable'),
): string {
  if (!isTold(error)) return other;
  if (error.code === 'offline') return connectionText(t);
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

/**
 * Returns a function that describes an error in the visitor's language. It returns `other` for unknown codes, and suspends until the
 * texts are loaded.
 */
export function useErrorText(): (error: unknown, other?: string) => string {
  const { lang } = useVisitor();
  const t = useT();
  const say = errors.useSay();
  return useCallback((error, other) => textOf(error, say, lang, t, other), [say, lang, t]);
}

/** Describes an error, for callers that can't suspend, such as click handlers on a screen without error texts. */
export async function errorText(error: unknown, lang: Lang): Promise<string> {
  return textOf(error, await errors.load(lang), lang, i18next.t);
}
