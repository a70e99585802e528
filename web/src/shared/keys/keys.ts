/** Whether single-key shortcuts are on. People who use speech input or hit keys by accident can turn them off (WCAG 2.1.4). */
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';

const KEY = 'lantern.keys';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

const keys = createStore(readStored(KEY, isBoolean, true));

export const useKeysOn = keys.useValue;

export function turnKeys(on: boolean): void {
  writeStored(KEY, on);
  keys.write(on);
}

/** Whether a key is off. Arrows, the space bar and named keys are never off. */
export const isOff = (key: string): boolean => !keys.read() && /^\S$/u.test(key);
