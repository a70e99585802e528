import { describe, expect, it } from 'vitest';
import { commentProblem, countdown, secondsLeft } from './rules';

describe('a comment', () => {
  it.each([
    ['', 'required'],
    ['  \n ', 'required'],
    [' four ', 'comment_min_length'],
    ['five!', undefined],
    ['🏮🏮🏮🏮🏮', undefined],
    ['x'.repeat(1500), undefined],
    ['x'.repeat(1501), 'max_length'],
  ])('%j: %s', (text, code) => expect(commentProblem(text)?.code).toBe(code));
});

describe('the wait', () => {
  it('counts whole seconds down to zero', () => {
    expect(secondsLeft(10_000, 8_999)).toBe(2);
    expect(secondsLeft(10_000, 9_001)).toBe(1);
    expect(secondsLeft(10_000, 12_000)).toBe(0);
  });
  it('is formatted like a clock', () => {
    expect(countdown(545)).toBe('9:05');
    expect(countdown(7)).toBe('0:07');
  });
});
