import { useSyncExternalStore } from 'react';

/** A value that parts of the page far from each other share. */
export function createStore<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = (): Value => value;
  return {
    read,
    write: (next: Value) => {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: (): Value => useSyncExternalStore(subscribe, read),
    /** A part of it; another value of the rest draws nothing anew. */
    usePart: <Part>(select: (value: Value) => Part): Part =>
      useSyncExternalStore(subscribe, () => select(read())),
  };
}
