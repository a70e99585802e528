// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOff, turnKeys } from './keys';

afterEach(() => {
  turnKeys(true);
  localStorage.clear();
  vi.resetModules();
});

describe('single-key shortcuts', () => {
  it.each(['k', 'M', '7', '/', '>', 'ж', 'é'])('%s can be turned off', (key) => {
    expect(isOff(key)).toBe(false);
    turnKeys(false);
    expect(isOff(key)).toBe(true);
  });

  it.each([' ', 'ArrowLeft', 'Enter', 'Escape', 'Tab', 'F5'])('%s can’t be turned off', (key) => {
    turnKeys(false);
    expect(isOff(key)).toBe(false);
  });

  it('stay off after a reload', async () => {
    turnKeys(false);
    vi.resetModules();
    const reloaded = await import('./keys');
    expect(reloaded.isOff('k')).toBe(true);
  });
});
