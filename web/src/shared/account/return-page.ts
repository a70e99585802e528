/** The page that was left for another site's sign-in; this tab returns to it, or home where nothing can be kept. */
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.return';
const isPath = (value: unknown): value is string => typeof value === 'string';

export function keepReturn(path: string): void {
  writeStored(KEY, path, 'tab');
}

/** The page, once; `null` where none was kept. */
export function takeReturn(): string | null {
  const path = readStored<string | null>(KEY, isPath, null, 'tab');
  writeStored(KEY, null, 'tab');
  return path;
}
