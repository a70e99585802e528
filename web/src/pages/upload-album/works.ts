/** Albums in the making: they outlive the screen while the app is open. */
import { createStore } from '@/lib/store';
import { NEW, type Picture, type Work } from './work';

/** Names the one that is begun; the others have the number of their album. */
export const BEGUN = 'new';

const store = createStore<ReadonlyMap<string, Work>>(new Map());

export const useWork = (name: string): Work | undefined => store.useValue().get(name);
export const findWork = (name: string): Work | undefined => store.read().get(name);

/** Small pictures that this page made are held in memory until they are given back. */
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

export const setWork = (name: string, work: Work): void => {
  write(name, work);
};

/** Changes what is there; what was given up meanwhile stays so. */
export function changeWork(name: string, change: (work: Work) => Work): void {
  const work = findWork(name);
  if (work) write(name, change(work));
}

export const dropWork = (name: string): void => {
  write(name, null);
};

/** Begins an album where none is begun. */
export function beginWork(name: string): void {
  if (!findWork(name)) write(name, NEW);
}

/** Whether something is there that only this page knows. */
export const hasUnsent = (work: Work): boolean =>
  work.isSending ||
  work.typed !== null ||
  work.pictures.some(({ file, state }) => file !== null && state !== 'there');
