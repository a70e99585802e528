// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startScrollMemory } from './scroll';
import { readStored, writeStored } from './storage';

const isNumber = (value: unknown): value is number => typeof value === 'number';
/** As a browser does whose visitor lets no site keep anything. */
const block = () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    vi.spyOn(globalThis, name as 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
};
const other = { good: 'tab', tab: 'good' } as const;

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

describe.each(['good', 'tab'] as const)('kept for %s', (area) => {
  it('is found again, and only there', () => {
    writeStored('key', 7, area);
    expect(readStored('key', isNumber, 0, area)).toBe(7);
    expect(readStored('key', isNumber, 0, other[area])).toBe(0);
  });

  it('is nothing where it is damaged or of another kind', () => {
    const storage = area === 'tab' ? sessionStorage : localStorage;
    for (const value of ['{', '"text"']) {
      storage.setItem('key', value);
      expect(readStored('key', isNumber, 0, area)).toBe(0);
    }
  });

  it('is kept for as long as the page is open where storage is blocked', () => {
    block();
    expect(readStored('key', isNumber, 0, area)).toBe(0);
    writeStored('key', 7, area);
    expect(readStored('key', isNumber, 0, area)).toBe(7);
    vi.restoreAllMocks();
    writeStored('key', 8, area);
    expect(readStored('key', isNumber, 0, area)).toBe(8);
  });
});

describe('the memory of scroll positions', () => {
  it('starts where storage is blocked', () => {
    block();
    expect(startScrollMemory).not.toThrow();
    dispatchEvent(new Event('pagehide'));
  });

  it.each(['{', '5', '[1]', '[["a"]]'])('starts with %s left by another version', (kept) => {
    sessionStorage.setItem('lantern.scroll', kept);
    expect(startScrollMemory).not.toThrow();
  });
});
