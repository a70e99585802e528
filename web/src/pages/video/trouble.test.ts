import { expect, it } from 'vitest';
import { mayBeOutdated, troubleOf } from './trouble';

it.each([
  [0, 'lost', false],
  [403, 'refused', true],
  [401, 'refused', true],
  [404, 'gone', true],
  [410, 'gone', true],
  [429, 'failed', false],
  [503, 'failed', false],
])('%i: %s', (status, trouble, outdated) => {
  expect(troubleOf(status)).toBe(trouble);
  expect(mayBeOutdated(status)).toBe(outdated);
});
