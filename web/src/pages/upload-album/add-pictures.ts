/** Adds chosen or dropped pictures after checking them in the browser. */
import { examine } from './examine';
import type { Limits } from './picture-checks';
import { hasFile, isTaken, waitingPicture, withPicture } from './work';
import { beginWork, changeWork, findWork } from './works';

let count = 0;
/** Pictures are checked one at a time, because decoded pictures are large. */
let checks: Promise<void> = Promise.resolve();

/** Resolves when all pictures added so far have been checked. */
export const checked = (): Promise<void> => checks;

/** Appends pictures. Returns the names of those that were already added. */
export function addPictures(name: string, files: readonly File[], limits: Limits): string[] {
  beginWork(name);
  const known: string[] = [];
  for (const file of files) {
    const work = findWork(name);
    if (work && hasFile(work, file)) {
      known.push(file.name);
      continue;
    }
    count += 1;
    const key = `file-${String(count)}`;
    changeWork(name, (old) => ({
      ...old,
      pictures: [...old.pictures, waitingPicture(key, file)],
    }));
    checks = checks.then(() => check(name, key, file, limits));
  }
  return known;
}

async function check(name: string, key: string, file: File, limits: Limits): Promise<void> {
  const isHere = () => findWork(name)?.pictures.some((picture) => picture.key === key) ?? false;
  if (!isHere()) return;
  const found = await examine(file, limits);
  // The picture was removed in the meantime.
  if (!isHere() && found.thumb) URL.revokeObjectURL(found.thumb);
  changeWork(name, (work) => {
    const isFull = work.pictures.filter(isTaken).length >= limits.max_photos;
    const doubt = found.doubt ?? (isFull ? 'tooMany' : null);
    return withPicture(work, key, { ...found, doubt, state: doubt ? 'refused' : 'ready' });
  });
}
