/** Takes files that were chosen or dropped: what they are is looked at before anything is sent. */
import { doubtOf, isSameFile, refusalOf, type Limits } from './file-checks';
import { fillQueue } from './queue';
import { readSeconds } from './read-seconds';
import type { UploadItem } from './rows';
import { addTransfer, changeTransfer, findTransfer, isHere, transfers } from './transfers';

let count = 0;

/** Goes on with an upload of an earlier visit; the file is the same. */
export function adopt(file: File, { token, received_bytes }: UploadItem): void {
  addTransfer({ key: token, file, token, state: 'queued', sent: received_bytes });
  fillQueue();
}

/** The unfinished upload that a file belongs to, if there is one. */
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

/** Adds files to those on their way. Answers the names of those that are among them already. */
export async function addFiles(
  files: readonly File[],
  { uploads, limits }: { uploads: readonly UploadItem[]; limits: Limits },
): Promise<string[]> {
  const known: string[] = [];
  for (const file of files) {
    if (isHere(file)) {
      known.push(file.name);
      continue;
    }
    const doubt = refusalOf(file, limits);
    const begun = doubt ? undefined : await uploadOf(file, uploads);
    if (begun) {
      adopt(file, begun);
      continue;
    }
    count += 1;
    const { key } = addTransfer({
      key: `file-${String(count)}`,
      file,
      doubt,
      state: doubt ? 'refused' : 'checking',
    });
    if (!doubt) void examine(key, file, limits);
  }
  return known;
}

async function examine(key: string, file: File, limits: Limits): Promise<void> {
  const seconds = await readSeconds(file);
  const doubt = doubtOf(seconds, false, limits);
  changeTransfer(key, { seconds, doubt, state: doubt ? 'held' : 'queued' });
  fillQueue();
}

/** What a film that is made for this site alone may be, it may be shorter: a file that was held for its length goes. */
export function setExclusive(key: string, isExclusive: boolean, limits: Limits): void {
  const transfer = findTransfer(key);
  if (transfer?.state !== 'held') return;
  const doubt = doubtOf(transfer.seconds, isExclusive, limits);
  changeTransfer(key, { doubt, state: doubt ? 'held' : 'queued' });
  fillQueue();
}
