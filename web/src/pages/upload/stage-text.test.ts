import { expect, it } from 'vitest';
import type { Row, Stage } from './rows';
import { changedRows, nextText, seenOf, stageText } from './stage-text';

const row = (key: string, stage: Stage, change: Partial<Row> = {}): Row => ({
  key,
  stage,
  name: 'film.mp4',
  size: 4,
  sent: 0,
  replaces: null,
  ...change,
});
const say = (key: string) => key;
const item = { step: 'encoding' } as Row['item'];

it('names the processing step, and a connection being retried', () => {
  expect(stageText(row('a', 'working', { item }), say)).toBe('stepEncoding');
  expect(stageText(row('a', 'working'), say)).toBe('stepChecking');
  const transfer = { isRetrying: true } as Row['transfer'];
  expect(stageText(row('a', 'sending', { transfer }), say)).toBe('retrying');
  const full = { isRetrying: true, failure: { code: 'disk_full' } } as Row['transfer'];
  expect(stageText(row('a', 'sending', { transfer: full }), say)).toBe('retryingFull');
  expect(stageText(row('a', 'sending'), say)).toBe('is_sending');
});

it('says that a video stays until its new version is approved', () => {
  const next = (stage: Stage) => nextText(row('a', stage, { replaces: 7 }), say, 'en');
  expect(next('working')).toBe('nextReplacing');
  expect(next('moderation')).toBe('nextReplacingReview');
  expect(next('sending')).toBe('nextSending');
});

it('describes the next step if there is one', () => {
  expect(nextText(row('a', 'choosing'), say, 'en')).toBe('nextChoosing');
  expect(nextText(row('a', 'published'), say, 'en')).toBeNull();
});

it('tells when processing is attempted again, and how long a file is kept for that', () => {
  const tell = (key: string, values?: object) => `${key} ${JSON.stringify(values ?? {})}`;
  const retry_at = '2026-10-01T12:05:00';
  const waits = { retry_at } as Row['item'];
  expect(nextText(row('a', 'waiting', { item: waits }), tell, 'en')).toBe(
    'nextRetry {"time":"12:05 PM"}',
  );
  expect(nextText(row('a', 'waiting'), tell, 'en')).toBe('nextWaiting {}');
  const kept = { is_kept: true, expires_at: '2026-10-08T12:00:00Z' } as Row['item'];
  expect(nextText(row('a', 'failed', { item: kept }), tell, 'en')).toBe(
    'failedKept {"date":"October 8, 2026"}',
  );
  expect(nextText(row('a', 'failed'), tell, 'en')).toBeNull();
});

it('announces changes once, and only automatic ones', () => {
  const before = [row('a', 'sending'), row('b', 'working')];
  const seen = seenOf(before);
  expect(changedRows(seen, before)).toEqual([]);
  const after = [row('a', 'undescribed'), row('b', 'working'), row('c', 'queued')];
  expect(changedRows(seen, after).map(({ key }) => key)).toEqual(['a']);
  expect(changedRows(seenOf(after), after)).toEqual([]);
});
