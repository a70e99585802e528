import { describe, expect, it } from 'vitest';
import { textProblem } from '@/ui/form/checks';
import { playlistProblems } from './playlist-rules';

describe('a playlist', () => {
  it.each([
    ['', 'required'],
    ['  ', 'required'],
    ['ab', 'min_length'],
    ['abc', undefined],
    ['🏮🏮🏮', undefined],
    ['x'.repeat(100), undefined],
    ['x'.repeat(101), 'max_length'],
  ])('titled %j: %s', (title, code) =>
    expect(playlistProblems({ title, desc: 'Evenings' }).title?.code).toBe(code),
  );
  it('has a description of 5 to 500 characters', () => {
    const wrong = (desc: string) => playlistProblems({ title: 'abc', desc }).desc;
    expect(wrong('four')).toEqual({ code: 'min_length', bound: 5 });
    expect(wrong('fives')).toBeUndefined();
    expect(wrong('x'.repeat(501))).toEqual({ code: 'max_length', bound: 500 });
  });
  it('is sent if valid', () => {
    expect(playlistProblems({ title: 'abc', desc: 'fives' })).toEqual({});
    expect(textProblem(' a ', { min: 1, max: 1 })).toBeNull();
  });
});
