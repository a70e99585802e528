/** Uploads files, a few at a time, and updates the list of transfers. It continues while other screens are shown. */
import { ApiError } from '@/lib/http';
import { rateOf, withSample, type Sample } from './pace';
import type { Events, Sending } from './send';
import { changeTransfer, dropTransfer, findTransfer, transfers, type Transfer } from './transfers';
import { refreshUploads } from './uploads-query';

/** Two uploads saturate the connection, even while one of them waits for the disk. */
const AT_ONCE = 2;
/** How often the progress is updated. More frequent changes are unreadable. */
const UPDATE_MS = 300;

const running = new Map<string, Sending>();
/** Callbacks waiting for an upload's token, by row. */
const waiting = new Map<string, ((token: string | null) => void)[]>();

const isSending = ({ state }: Transfer): boolean => state === 'sending';
const isQueued = ({ state }: Transfer): boolean => state === 'queued';

const askBeforeLeaving = (event: Event): void => event.preventDefault();

/** Starts the next uploads if there is capacity. */
export function fillQueue(): void {
  const room = AT_ONCE - transfers().filter(isSending).length;
  for (const transfer of transfers().filter(isQueued).slice(0, Math.max(0, room))) {
    void begin(transfer);
  }
  // The listener is added only while it is needed, because a `beforeunload` listener keeps the page out of the back/forward cache.
  if (transfers().some(isSending)) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
}

async function begin({ key, file, token, replaces }: Transfer): Promise<void> {
  changeTransfer(key, { state: 'sending', failure: null, rate: null, isRetrying: false });
  let samples: Sample[] = [];
  let shownAt = 0;
  try {
    const { send } = await import('./send');
    // The upload was paused, or paused and restarted, while the code was loading.
    if (findTransfer(key)?.state !== 'sending' || running.has(key)) return;
    const events: Events = {
      begun: (name) => {
        if (findTransfer(key)?.token !== name) void refreshUploads();
        changeTransfer(key, { token: name });
        tell(key, name);
      },
      progress: (bytes) => {
        const at = performance.now();
        samples = withSample(samples, { at, bytes });
        if (at - shownAt < UPDATE_MS) return;
        shownAt = at;
        changeTransfer(key, {
          sent: bytes,
          rate: rateOf(samples),
          isRetrying: false,
          failure: null,
        });
      },
      retrying: (failure) => {
        samples = [];
        changeTransfer(key, { rate: null, isRetrying: true, failure });
      },
      done: () => {
        end(key, { state: 'sent', sent: file.size, sentAt: Date.now(), failure: null });
        void refreshUploads();
      },
      failed: (failure) => {
        const isGone = failure.code === 'upload_not_found';
        end(key, { state: 'broken', failure, ...(isGone && { token: null, sent: 0 }) });
      },
    };
    const sending = send(file, token, events, replaces);
    running.set(key, sending);
  } catch {
    // The code that sends files could not be loaded.
    end(key, { state: 'broken', failure: new ApiError(0, { code: 'offline' }) });
  }
}

function end(key: string, change: Partial<Transfer>): void {
  running.delete(key);
  changeTransfer(key, { ...change, rate: null, isRetrying: false });
  fillQueue();
}

function stop(key: string): void {
  running.get(key)?.stop();
  running.delete(key);
}

export function pause(key: string): void {
  stop(key);
  end(key, { state: 'paused' });
}

/** Resumes a file that was paused, failed or held. */
export function proceed(key: string): void {
  changeTransfer(key, { state: 'queued', doubt: null, failure: null });
  fillQueue();
}

/** Removes a file. Bytes that the server has received stay on the server. */
export function drop(key: string): void {
  stop(key);
  dropTransfer(key);
  tell(key, null);
  fillQueue();
}

function tell(key: string, token: string | null): void {
  for (const listener of waiting.get(key) ?? []) listener(token);
  waiting.delete(key);
}

/** Resolves to an upload's token as soon as it has one, or to null if there will be none. */
export function tokenOf(key: string): Promise<string | null> {
  const transfer = findTransfer(key);
  if (transfer?.token !== null) return Promise.resolve(transfer?.token ?? null);
  return new Promise((resolve) => {
    waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
  });
}

addEventListener('online', () => {
  for (const { key, state, failure } of transfers()) {
    if (state === 'broken' && failure?.code === 'offline') proceed(key);
  }
});
