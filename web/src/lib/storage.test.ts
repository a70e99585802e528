// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startScrollMemory } from './scroll';
import { readStored, writeStored } from './storage';

const isNumber = (value: unknown): value is number => typeof value === 'number';
/** Simulates a browser that blocks storage. */
const block = () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    vi.spyOn(globalThis, name as 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
};
const other = { permanent: 'tab', tab: 'permanent' } as const;

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

describe.each(['permanent', 'tab'] as const)('%s storage', (area) => {
  it('reads back a value, from its own area only', () => {
    writeStored('key', 7, area);
    expect(readStored('key', isNumber, 0, area)).toBe(7);
    expect(readStored('key', isNumber, 0, other[area])).toBe(0);
  });

  it('ignores damaged values and values of another type', () => {
    const storage = area === 'tab' ? sessionStorage : localStorage;
    for (const value of ['{', '"text"']) {
      storage.setItem('key', value);
      expect(readStored('key', isNumber, 0, area)).toBe(0);
    }
  });

  it('keeps values while the page is open if storage is blocked', () => {
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
  it('starts when storage is blocked', () => {
    block();
    expect(startScrollMemory).not.toThrow();
    dispatchEvent(new Event('pagehide'));
  });

  it.each(['{', '5', '[1]', '[["a"]]'])('starts with %s left by another version', (kept) => {
    sessionStorage.setItem('lantern.scroll', kept);
    expect(startScrollMemory).not.toThrow();
  });
});
