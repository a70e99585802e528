import { describe, expect, it } from 'vitest';
import { fitting, heightsOf, shortSide } from './quality';

describe('heights', () => {
  it('names an upright video by its shorter side', () => {
    expect(shortSide({ width: 1080, height: 1920 })).toBe(1080);
    expect(shortSide({ width: 0, height: 480 })).toBe(480);
  });
  it('lists the highest first, each once, without unknown ones', () => {
    const sizes = [240, 720, 480, 480, 0].map((height) => ({ width: 2 * height, height }));
    expect(heightsOf(sizes)).toEqual([720, 480, 240]);
  });
});

describe('a remembered choice', () => {
  it.each([
    [0, 0],
    [480, 480],
    [1080, 720],
    [360, 240],
    [144, 240],
  ])('%i means %i', (wanted, height) => expect(fitting([720, 480, 240], wanted)).toBe(height));
  it('means nothing if there is no choice', () => expect(fitting([], 480)).toBe(0));
});
