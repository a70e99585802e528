/** The page that was left for an external login. This tab returns to it, or to the home page if storage is blocked. */
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.return';
const isPath = (value: unknown): value is string => typeof value === 'string';

export function storeReturn(path: string): void {
  writeStored(KEY, path, 'tab');
}

/** Returns the stored page only once, or `null` if none is stored. */
export function takeReturn(): string | null {
  const path = readStored<string | null>(KEY, isPath, null, 'tab');
  writeStored(KEY, null, 'tab');
  return path;
}
