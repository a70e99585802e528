/** Files being uploaded in this visit. The screen's parts share them, and they outlive the screen while the app is open. */
import type { ApiError } from '@/lib/http';
import { createStore } from '@/lib/store';
import { UNKNOWN, type Doubt, type Facts, type Refusal } from './file-checks';

export type TransferState =
  'checking' | 'refused' | 'held' | 'queued' | 'sending' | 'paused' | 'broken' | 'sent';

export interface Transfer {
  /** The row's key: the upload's token if it was resumed, else a generated key. */
  key: string;
  file: File;
  /** Id of the video that gets the file as its new film, or null for a video of its own. */
  replaces: number | null;
  state: TransferState;
  /** The upload's token, or null until the upload has started. */
  token: string | null;
  /** Number of bytes sent, including those in earlier visits. */
  sent: number;
  /** Bytes per second, if known. */
  rate: number | null;
  /** Whether a piece could not be sent and is being retried. */
  isRetrying: boolean;
  /** What the browser found in the file. */
  facts: Facts;
  /** Why the file is refused or held. */
  doubt: Refusal | Doubt | null;
  /** Why the upload failed, or why a piece is being retried. */
  failure: ApiError | null;
  /** When the last byte was sent. */
  sentAt: number | null;
}

const store = createStore<readonly Transfer[]>([]);

export const useTransfers = store.useValue;
export const transfers = store.read;

export const findTransfer = (key: string): Transfer | undefined =>
  store.read().find((transfer) => transfer.key === key);

export function addTransfer(given: Pick<Transfer, 'key' | 'file'> & Partial<Transfer>): Transfer {
  const transfer: Transfer = {
    replaces: null,
    state: 'checking',
    token: null,
    sent: 0,
    rate: null,
    isRetrying: false,
    facts: UNKNOWN,
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

/** Whether the file is already here. It must not be added twice. */
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
