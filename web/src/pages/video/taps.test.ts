import { describe, expect, it } from 'vitest';
import { meaningOf, sideOf } from './taps';

const PLAYING = { isBegun: true, paused: false };
const PAUSED = { isBegun: true, paused: true };

describe('taps on the picture', () => {
  it('hit a side or the middle', () =>
    expect([0, 129, 195, 261, 389].map((x) => sideOf(x, 390))).toEqual([-1, -1, 0, 1, 1]));
  it('play a video that hasn’t started, anywhere', () => {
    const film = { isBegun: false, paused: true };
    expect(meaningOf({ at: 0, side: -1 }, null, film)).toBe('play');
    expect(meaningOf({ at: 100, side: -1 }, { at: 0, side: -1 }, film)).toBe('play');
  });
  it('seek when two hit one side, and again with each that follows', () => {
    expect(meaningOf({ at: 1000, side: 1 }, null, PLAYING)).toBe('controls');
    expect(meaningOf({ at: 1200, side: 1 }, { at: 1000, side: 1 }, PLAYING)).toBe('jump');
    expect(meaningOf({ at: 1400, side: 1 }, { at: 1200, side: 1 }, PLAYING)).toBe('jump');
    expect(meaningOf({ at: 1300, side: 1 }, { at: 1000, side: 1 }, PLAYING)).toBe('controls');
    expect(meaningOf({ at: 1200, side: 1 }, { at: 1000, side: -1 }, PLAYING)).toBe('controls');
    expect(meaningOf({ at: 1200, side: 0 }, { at: 1000, side: 0 }, PLAYING)).toBe('controls');
  });
  it('resume a paused video, at a side only once no second tap can follow', () => {
    expect(meaningOf({ at: 1000, side: 0 }, null, PAUSED)).toBe('play');
    expect(meaningOf({ at: 1000, side: 1 }, null, PAUSED)).toBe('playSoon');
    expect(meaningOf({ at: 1200, side: 1 }, { at: 1000, side: 1 }, PAUSED)).toBe('jump');
  });
});
