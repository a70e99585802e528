/** Adds chosen or dropped files after checking them in the browser. */
import { doubtOf, isHopeless, isSameFile, refusalOf, UNKNOWN, type Limits } from './file-checks';
import { fillQueue } from './queue';
import type { UploadItem } from './rows';
import { addTransfer, changeTransfer, findTransfer, isHere, transfers } from './transfers';

let count = 0;

/** Resumes an upload from an earlier visit with the same file. */
export function adopt(file: File, { token, received_bytes, replaces }: UploadItem): void {
  addTransfer({ key: token, file, token, replaces, state: 'queued', sent: received_bytes });
  fillQueue();
}

/** Returns the unfinished upload that a file belongs to, if there is one. */
async function uploadOf(file: File, uploads: readonly UploadItem[]) {
  const here = new Set(transfers().map(({ token }) => token));
  const same = uploads.filter(
    (item) => item.state === 'receiving' && !here.has(item.token) && isSameFile(file, item),
  );
  if (same.length < 2) return same[0];
  const { rememberedToken } = await import('./send');
  const token = await rememberedToken(
    file,
    same.map((item) => item.token),
  );
  return same.find((item) => item.token === token) ?? same[0];
}

/** A video that gets a new film. */
interface Replaced {
  videoId: number;
  /** Whether it was made exclusively for this site, so that the new film may be shorter, too. */
  isExclusive: boolean;
}

/** Adds files to the queue, as new videos or as the new film of one. Returns the names of those that were already in it. */
export async function addFiles(
  files: readonly File[],
  { uploads, limits }: { uploads: readonly UploadItem[]; limits: Limits },
  replaced?: Replaced,
): Promise<string[]> {
  const replaces = replaced?.videoId ?? null;
  const mine = uploads.filter((item) => item.replaces === replaces);
  const known: string[] = [];
  for (const file of files) {
    if (isHere(file)) {
      known.push(file.name);
      continue;
    }
    const doubt = refusalOf(file, limits);
    const begun = doubt ? undefined : await uploadOf(file, mine);
    if (begun) {
      adopt(file, begun);
      continue;
    }
    count += 1;
    const { key } = addTransfer({
      key: `file-${String(count)}`,
      file,
      replaces,
      doubt,
      state: doubt ? 'refused' : 'checking',
    });
    if (!doubt) void examine(key, file, replaced?.isExclusive ?? false, limits);
  }
  return known;
}

async function examine(
  key: string,
  file: File,
  isExclusive: boolean,
  limits: Limits,
): Promise<void> {
  // Without the code that reads files, the server checks them.
  const facts = await import('./read-facts').then(
    ({ readFacts }) => readFacts(file),
    () => UNKNOWN,
  );
  const doubt = doubtOf(facts, isExclusive, limits);
  const state = isHopeless(doubt) ? 'refused' : doubt ? 'held' : 'queued';
  changeTransfer(key, { facts, doubt, state });
  fillQueue();
}

/** Sends a file that was held for being too short, because site-only videos may be shorter. Other doubts remain. */
export function setExclusive(key: string, isExclusive: boolean, limits: Limits): void {
  const transfer = findTransfer(key);
  if (transfer?.state !== 'held') return;
  const doubt = doubtOf(transfer.facts, isExclusive, limits);
  changeTransfer(key, { doubt, state: doubt ? 'held' : 'queued' });
  fillQueue();
}
