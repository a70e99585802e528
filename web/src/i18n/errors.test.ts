import { describe, expect, it } from 'vitest';
import { waitText } from './errors';

describe('a wait', () => {
  it.each([
    [0, '1 second'],
    [59.2, '60 seconds'],
    [99, '99 seconds'],
    [100, '2 minutes'],
    [600, '10 minutes'],
    [5999, '100 minutes'],
    [6000, '2 hours'],
  ])('of %s s is said as %s', (seconds, text) => {
    expect(waitText(seconds, 'en')).toBe(text);
  });
  it('is said in the language', () => {
    expect(waitText(600, 'ja')).toBe('10 分');
    expect(waitText(600, 'ru')).toBe('10 минут');
  });
});
