/** Uploads one file over tus, which can resume after a lost connection. This module loads with the first file. */
import { defaultOptions, Upload, type DetailedError } from 'tus-js-client';
import type { Path } from '@/api/call';
import { ApiError } from '@/lib/http';

const ENDPOINT = new URL('/api/uploads/' satisfies Path, location.href).href;
/**
 * Bytes per request, after each of which the server makes the data durable. With smaller pieces, uploads would pause more often, and
 * proxies refuse much larger ones.
 */
const PIECE_BYTES = 16 * 1024 * 1024;
/**
 * Pauses before retries. Within their sum of half an hour, a machine restarts or an operator notices, and the upload continues at most five
 * seconds later. Each received piece resets the pauses.
 */
const RETRY_MS = [0, 1000, 3000, ...Array<number>(360).fill(5000)];
/** Number of retries while the site has no space left. An operator rarely frees some within minutes. */
const FULL_RETRIES = 16;
const FULL = 507;
/** Statuses after which a retry may succeed: another request for the upload has just ended, or there were too many requests. */
const MAY_PASS = [409, 423, 429];
/** Error codes for responses without a body. */
const CODES: Partial<Record<number, string>> = {
  401: 'need_auth',
  404: 'upload_not_found',
  423: 'upload_locked',
  [FULL]: 'disk_full',
};

export interface Events {
  /** Called when the server has assigned a token. */
  begun: (token: string) => void;
  progress: (bytes: number) => void;
  /** Called with the reason for the retry. */
  retrying: (why: ApiError) => void;
  done: () => void;
  failed: (why: ApiError) => void;
}

export interface Sending {
  stop: () => void;
}

const tokenIn = (url: string | null): string => url?.split('/').at(-1) ?? '';
const urlOf = (token: string): string => ENDPOINT + token;

/** Returns a key that is the same for the same file, also after a reload. */
const fingerprint = ({ name, size, lastModified }: File) =>
  Promise.resolve(['lantern', name, size, lastModified].join('-'));

/** Returns the server's error, or an error for a missing response. */
export function errorOf(error: Error | DetailedError): ApiError {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (!response) {
    const isLine = 'originalRequest' in error;
    return new ApiError(0, { code: isLine ? 'offline' : 'video_upload_error' });
  }
  const status = response.getStatus();
  let body: ConstructorParameters<typeof ApiError>[1] = {};
  try {
    body = JSON.parse(response.getBody()) as typeof body;
  } catch {
    // the response is from a proxy or has no body: use the status
  }
  return new ApiError(status, {
    ...body,
    code: body.code ?? CODES[status] ?? 'video_upload_error',
  });
}

export const mayPass = (status: number): boolean => status >= 500 || MAY_PASS.includes(status);

/** Sends a file, or the missing rest of the upload that has this `token`. `replaces` is the id of the video whose film it replaces. */
export function send(
  file: File,
  token: string | null,
  on: Events,
  replaces: number | null = null,
): Sending {
  let isStopped = false;
  const isNew = token === null;
  const upload = new Upload(file, {
    // An upload that was started either resumes or fails. Otherwise, the client would create another one if the server is temporarily
    // unavailable.
    ...(isNew ? { endpoint: ENDPOINT } : { uploadUrl: urlOf(token) }),
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_MS,
    fingerprint,
    removeFingerprintOnSuccess: true,
    metadata: {
      filename: file.name,
      filetype: file.type,
      ...(replaces !== null && { replaces: String(replaces) }),
    },
    onUploadUrlAvailable: () => {
      upload.options.endpoint = null;
      if (isStopped) void upload.abort(isNew);
      else on.begun(tokenIn(upload.url));
    },
    onProgress: on.progress,
    onShouldRetry: (error, attempt) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      const again =
        status === 0
          ? navigator.onLine
          : mayPass(status) && (status !== FULL || attempt < FULL_RETRIES);
      if (again) on.retrying(errorOf(error));
      return again;
    },
    onSuccess: on.done,
    onError: (error) => {
      if (!isStopped) on.failed(errorOf(error));
    },
  });
  upload.start();
  return {
    stop: () => {
      isStopped = true;
      // An upload that is still being created has no token yet, and is deleted as soon as it has one.
      if (upload.url !== null) void upload.abort();
    },
  };
}

/** Returns which of the uploads this browser started with the same file. Removes obsolete entries. */
export async function rememberedToken(
  file: File,
  tokens: readonly string[],
): Promise<string | undefined> {
  const { urlStorage } = defaultOptions;
  const stored = await urlStorage.findUploadsByFingerprint(await fingerprint(file));
  const kept = stored.filter(({ uploadUrl }) => tokens.includes(tokenIn(uploadUrl)));
  for (const entry of stored) {
    if (!kept.includes(entry)) void urlStorage.removeUpload(entry.urlStorageKey);
  }
  return kept[0] && tokenIn(kept[0].uploadUrl);
}

/** Deletes an upload on the server. It is no error if the upload is already gone. */
export async function endUpload(token: string): Promise<void> {
  try {
    await Upload.terminate(urlOf(token), { retryDelays: [] });
  } catch (error) {
    const refused = errorOf(error as Error);
    if (refused.status !== 404) throw refused;
  }
}
