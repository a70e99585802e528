/** The wish to write to the operator, as a small store: any page may ask, the header's part shows the dialog. */
import { useSyncExternalStore } from 'react';

/** What can be reported. */
export interface Reported {
  section:
    'video' | 'album' | 'model' | 'channel' | 'playlist' | 'user' | 'comment' | 'wall' | 'message';
  object_id: number;
}

let open = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export const requestContact = (): void => {
  change(true);
};
export const closeContact = (): void => {
  change(false);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useContactRequest = (): boolean => useSyncExternalStore(subscribe, () => open);
