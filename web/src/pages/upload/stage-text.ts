/** Texts for an upload's stage and its next step. This module is pure. */
import type { UploadText } from '@/i18n/upload';
import { fullDate } from '@/lib/format';
import type { Row, Stage } from './rows';

const STEPS = {
  checking: 'stepChecking',
  encoding: 'stepEncoding',
  pictures: 'stepPictures',
} as const;

export function stageText({ stage, item, transfer }: Row, say: UploadText): string {
  if (stage === 'sending' && transfer?.isRetrying)
    return say(transfer.failure?.code === 'disk_full' ? 'retryingFull' : 'retrying');
  if (stage !== 'working') return say(`is_${stage}`);
  const step = item?.step ?? 'checking';
  return say(step in STEPS ? STEPS[step as keyof typeof STEPS] : 'stepChecking');
}

const timeOfDay = (date: string, lang: string): string =>
  new Date(date).toLocaleTimeString(lang, { hour: 'numeric', minute: '2-digit' });

/** Stages that have a text about what happens next. */
const NEXT = {
  queued: 'nextQueued',
  sending: 'nextSending',
  paused: 'nextPaused',
  undescribed: 'nextUndescribed',
  waiting: 'nextWaiting',
  working: 'nextWorking',
  choosing: 'nextChoosing',
  moderation: 'nextModeration',
  scheduled: 'nextScheduled',
  rejected: 'nextRejected',
} as const satisfies Partial<Record<Stage, string>>;

/** Texts for a film that replaces another. Its video stays as it is meanwhile. */
const NEXT_REPLACING = {
  ...NEXT,
  queued: 'nextSending',
  waiting: 'nextReplacing',
  working: 'nextReplacing',
  moderation: 'nextReplacingReview',
  rejected: 'nextReplacingRejected',
} as const satisfies Partial<Record<Stage, string>>;

export function nextText(
  { stage, item, replaces }: Row,
  say: UploadText,
  lang: string,
): string | null {
  if (stage === 'waiting' && item?.retry_at)
    return say('nextRetry', { time: timeOfDay(item.retry_at, lang) });
  if (stage === 'failed' && item?.is_kept)
    return say('failedKept', { date: fullDate(item.expires_at, lang) });
  const next = replaces === null ? NEXT : NEXT_REPLACING;
  return stage in next ? say(next[stage as keyof typeof next]) : null;
}

/** Stages that an upload enters automatically. The member's own changes need no announcement. */
const ANNOUNCED: readonly Stage[] = [
  'refused',
  'held',
  'broken',
  'undescribed',
  'waiting',
  'working',
  'choosing',
  'moderation',
  'scheduled',
  'published',
  'rejected',
  'failed',
];

export type StagesByUpload = ReadonlyMap<string, Stage>;

export const seenOf = (rows: readonly Row[]): StagesByUpload =>
  new Map(rows.map(({ key, stage }) => [key, stage]));

/** Returns the rows whose changes must be announced. */
export const changedRows = (seen: StagesByUpload, rows: readonly Row[]): Row[] =>
  rows.filter(({ key, stage }) => seen.get(key) !== stage && ANNOUNCED.includes(stage));
