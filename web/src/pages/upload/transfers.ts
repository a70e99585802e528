/** Files of this visit on their way: what every part of the screen reads, and what outlives the screen while the app is open. */
import type { ApiError } from '@/lib/http';
import { createStore } from '@/lib/store';
import type { Doubt, Refusal } from './file-checks';

export type TransferState =
  'checking' | 'refused' | 'held' | 'queued' | 'sending' | 'paused' | 'broken' | 'sent';

export interface Transfer {
  /** Of its row: the upload's name where it went on with one, else its own. */
  key: string;
  file: File;
  state: TransferState;
  /** Names the upload; null until it has begun. */
  token: string | null;
  /** Bytes of the file that have left, those of earlier visits included. */
  sent: number;
  /** Bytes a second, where it can be told. */
  rate: number | null;
  /** The line broke, and is tried again. */
  isRetrying: boolean;
  /** How long it plays; null where the browser can't tell. */
  seconds: number | null;
  /** Why it is refused or held. */
  doubt: Refusal | Doubt | null;
  /** Why it is broken. */
  failure: ApiError | null;
  /** When the last byte had left. */
  sentAt: number | null;
}

const store = createStore<readonly Transfer[]>([]);

export const useTransfers = store.useValue;
export const transfers = store.read;

export const findTransfer = (key: string): Transfer | undefined =>
  store.read().find((transfer) => transfer.key === key);

export function addTransfer(given: Pick<Transfer, 'key' | 'file'> & Partial<Transfer>): Transfer {
  const transfer: Transfer = {
    state: 'checking',
    token: null,
    sent: 0,
    rate: null,
    isRetrying: false,
    seconds: null,
    doubt: null,
    failure: null,
    sentAt: null,
    ...given,
  };
  store.write([...store.read(), transfer]);
  return transfer;
}

export function changeTransfer(key: string, change: Partial<Transfer>): void {
  store.write(
    store.read().map((transfer) => (transfer.key === key ? { ...transfer, ...change } : transfer)),
  );
}

export function dropTransfer(key: string): void {
  store.write(store.read().filter((transfer) => transfer.key !== key));
}

/** The same file twice would be two uploads of one film. */
export const isHere = (file: File): boolean =>
  store
    .read()
    .some(
      ({ file: other, state }) =>
        state !== 'refused' &&
        state !== 'sent' &&
        other.name === file.name &&
        other.size === file.size &&
        other.lastModified === file.lastModified,
    );
