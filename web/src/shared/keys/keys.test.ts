// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOff, turnKeys } from './keys';

afterEach(() => {
  turnKeys(true);
  localStorage.clear();
  vi.resetModules();
});

describe('keys that do something by themselves', () => {
  it.each(['k', 'M', '7', '/', '>', 'ж', 'é'])('%s is off once it is turned off', (key) => {
    expect(isOff(key)).toBe(false);
    turnKeys(false);
    expect(isOff(key)).toBe(true);
  });

  it.each([' ', 'ArrowLeft', 'Enter', 'Escape', 'Tab', 'F5'])('%s never is', (key) => {
    turnKeys(false);
    expect(isOff(key)).toBe(false);
  });

  it('stay off when the page is opened anew', async () => {
    turnKeys(false);
    vi.resetModules();
    const anew = await import('./keys');
    expect(anew.isOff('k')).toBe(true);
  });
});
