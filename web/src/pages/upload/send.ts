/** One file on its way by tus, which goes on after a broken line by itself. Loaded with the first file. */
import { defaultOptions, Upload, type DetailedError } from 'tus-js-client';
import type { Path } from '@/api/call';
import { ApiError } from '@/lib/http';

const ENDPOINT = new URL('/api/uploads/' satisfies Path, location.href).href;
/** What the server makes durable at a time; less would cost the line a pause more often, and proxies refuse much more. */
const PIECE_BYTES = 16 * 1024 * 1024;
/** A node that is started anew is back within these; each piece that arrives begins them again. */
const RETRY_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];
/** The next try may succeed: another request has just ended, or was one too many. */
const MAY_PASS = [409, 423, 429];
/** What answers without a body mean. */
const CODES: Partial<Record<number, string>> = {
  401: 'need_auth',
  404: 'upload_not_found',
  423: 'upload_locked',
  507: 'disk_full',
};

export interface Events {
  /** It has a name at the server from now on. */
  begun: (token: string) => void;
  progress: (bytes: number) => void;
  retrying: () => void;
  done: () => void;
  failed: (why: ApiError) => void;
}

export interface Sending {
  stop: () => void;
}

const tokenIn = (url: string | null): string => url?.split('/').at(-1) ?? '';
const urlOf = (token: string): string => ENDPOINT + token;

/** The same file again, after a reload too. */
const fingerprint = ({ name, size, lastModified }: File) =>
  Promise.resolve(['lantern', name, size, lastModified].join('-'));

/** What the server said, or that nothing came of it. */
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
    // Of a proxy in between, or without a body: the status has to do.
  }
  return new ApiError(status, {
    ...body,
    code: body.code ?? CODES[status] ?? 'video_upload_error',
  });
}

export const mayPass = (status: number): boolean => status >= 500 || MAY_PASS.includes(status);

/** Sends a file, or what the server lacks of it where it has begun with `token`. */
export function send(file: File, token: string | null, on: Events): Sending {
  let isStopped = false;
  const isNew = token === null;
  const upload = new Upload(file, {
    // One that has begun goes on or fails: the client would begin another where the server can't answer for a moment.
    ...(isNew ? { endpoint: ENDPOINT } : { uploadUrl: urlOf(token) }),
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_MS,
    fingerprint,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.name, filetype: file.type },
    onUploadUrlAvailable: () => {
      upload.options.endpoint = null;
      if (isStopped) void upload.abort(isNew);
      else on.begun(tokenIn(upload.url));
    },
    onProgress: on.progress,
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      const again = status === 0 ? navigator.onLine : mayPass(status);
      if (again) on.retrying();
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
      // What is just being begun has no name yet: it is ended once it has one.
      if (upload.url !== null) void upload.abort();
    },
  };
}

/** Which of the uploads this browser began with the very file. Entries of others are of no use any more. */
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

/** Ends an upload at the server; one that is gone already has ended. */
export async function endUpload(token: string): Promise<void> {
  try {
    await Upload.terminate(urlOf(token), { retryDelays: [] });
  } catch (error) {
    const refused = errorOf(error as Error);
    if (refused.status !== 404) throw refused;
  }
}
