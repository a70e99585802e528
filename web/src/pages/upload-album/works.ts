/** Stores unsent albums, which outlive the screen while the app is open. */
import { createStore } from '@/lib/store';
import { NEW, type Picture, type Work } from './work';

/** A new album's key. Existing albums use their id as the key. */
export const BEGUN = 'new';

const store = createStore<ReadonlyMap<string, Work>>(new Map());

export const useWork = (name: string): Work | undefined => store.useValue().get(name);
export const findWork = (name: string): Work | undefined => store.read().get(name);

/** Returns object URLs of thumbnails, which stay in memory until the URLs are revoked. */
const thumbsOf = (work: Work | undefined): string[] =>
  (work?.pictures ?? []).flatMap(({ thumb }: Picture) =>
    thumb?.startsWith('blob:') ? [thumb] : [],
  );

function write(name: string, work: Work | null): void {
  const kept = new Set(thumbsOf(work ?? undefined));
  for (const thumb of thumbsOf(findWork(name))) {
    if (!kept.has(thumb)) URL.revokeObjectURL(thumb);
  }
  const next = new Map(store.read());
  if (work) next.set(name, work);
  else next.delete(name);
  store.write(next);
}

export const setWork = (name: string, work: Work): void => write(name, work);

/** Changes an existing album. A discarded album stays discarded. */
export function changeWork(name: string, change: (work: Work) => Work): void {
  const work = findWork(name);
  if (work) write(name, change(work));
}

export const dropWork = (name: string): void => write(name, null);

/** Starts a new album, unless one was already started. */
export function beginWork(name: string): void {
  if (!findWork(name)) write(name, NEW);
}

/** Whether this page has unsent changes. */
export const hasUnsent = (work: Work): boolean =>
  work.isSending ||
  work.typed !== null ||
  work.pictures.some(({ file, state }) => file !== null && state !== 'uploaded');
