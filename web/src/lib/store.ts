import { useSyncExternalStore } from 'react';

/** A value that distant parts of the page share. */
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
    /** Selects a part of the value. Changes to other parts don't re-render. */
    usePart: <Part>(select: (value: Value) => Part): Part =>
      useSyncExternalStore(subscribe, () => select(read())),
  };
}
