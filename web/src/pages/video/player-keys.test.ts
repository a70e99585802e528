import { describe, expect, it } from 'vitest';
import { commandOf, nextSpeed } from './player-keys';

describe('keys', () => {
  it.each([
    [' ', { do: 'toggle' }],
    ['K', { do: 'toggle' }],
    ['j', { do: 'seekBy', seconds: -10 }],
    ['l', { do: 'seekBy', seconds: 10 }],
    ['0', { do: 'seekTo', share: 0 }],
    ['9', { do: 'seekTo', share: 0.9 }],
    ['>', { do: 'speed', step: 1 }],
    ['x', null],
    ['10', null],
  ])('%s → %j', (key, command) => expect(commandOf(key)).toEqual(command));
  it('steps through the speeds and stops at the ends', () => {
    expect(nextSpeed(1, 1)).toBe(1.25);
    expect(nextSpeed(1, -1)).toBe(0.75);
    expect(nextSpeed(2, 1)).toBe(2);
    expect(nextSpeed(0.5, -1)).toBe(0.5);
  });
});
