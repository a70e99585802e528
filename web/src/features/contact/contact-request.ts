/** The wish to write to the operator, about anything or about one object; the header's part shows the dialog. */
import { useSyncExternalStore } from 'react';

export interface Reported {
  section:
    'video' | 'album' | 'model' | 'channel' | 'playlist' | 'user' | 'comment' | 'wall' | 'message';
  object_id: number;
}

export interface ContactRequest {
  /** What is reported; `null` for a letter. */
  about: Reported | null;
}

let current: ContactRequest | null = null;
const listeners = new Set<() => void>();

function change(next: ContactRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

export const requestContact = (): void => {
  change({ about: null });
};
export const requestReport = (about: Reported): void => {
  change({ about });
};
export const closeContact = (): void => {
  change(null);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useContactRequest = (): ContactRequest | null =>
  useSyncExternalStore(subscribe, () => current);
