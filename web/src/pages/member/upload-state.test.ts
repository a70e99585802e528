import { describe, expect, it } from 'vitest';
import { daysOf, stateOf } from './upload-state';

describe('an upload', () => {
  it.each([
    [{}, 'isPublic'],
    [{ status_id: 1, is_private: true }, 'isPrivate'],
    [{ status_id: 2, is_private: true }, 'waiting'],
    [{ status_id: 3 }, 'processing'],
    [{ status_id: 4 }, 'rejected'],
    [{ status_id: 5, is_private: true }, 'deleted'],
  ])('%o is %s', (video, state) => {
    expect(stateOf(video)).toBe(state);
  });
  it.each([
    ['7', 7],
    ['365', 365],
    ['0', null],
    ['366', null],
    ['1.5', null],
    ['', null],
    ['soon', null],
  ])('added again after %j days: %s', (text, days) => {
    expect(daysOf(text)).toBe(days);
  });
});
