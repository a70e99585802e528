import { expect, it } from 'vitest';
import type { Row, Stage } from './rows';
import { changedRows, nextText, seenOf, stageText } from './stage-text';

const row = (key: string, stage: Stage, change: Partial<Row> = {}): Row => ({
  key,
  stage,
  name: 'film.mp4',
  size: 4,
  sent: 0,
  ...change,
});
const say = (key: string) => key;
const item = { step: 'encoding' } as Row['item'];

it('names the processing step, and a connection being retried', () => {
  expect(stageText(row('a', 'working', { item }), say)).toBe('stepEncoding');
  expect(stageText(row('a', 'working'), say)).toBe('stepChecking');
  const transfer = { isRetrying: true } as Row['transfer'];
  expect(stageText(row('a', 'sending', { transfer }), say)).toBe('retrying');
  expect(stageText(row('a', 'sending'), say)).toBe('is_sending');
});

it('describes the next step if there is one', () => {
  expect(nextText(row('a', 'choosing'), say)).toBe('nextChoosing');
  expect(nextText(row('a', 'published'), say)).toBeNull();
});

it('announces changes once, and only automatic ones', () => {
  const before = [row('a', 'sending'), row('b', 'working')];
  const seen = seenOf(before);
  expect(changedRows(seen, before)).toEqual([]);
  const after = [row('a', 'undescribed'), row('b', 'working'), row('c', 'queued')];
  expect(changedRows(seen, after).map(({ key }) => key)).toEqual(['a']);
  expect(changedRows(seenOf(after), after)).toEqual([]);
});
