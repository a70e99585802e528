/** Uploads one picture and reports progress, which `fetch` doesn't do. */
import type { FormAnswer, FormPath } from '@/api/call';
import { ApiError } from '@/lib/http';

const ADDRESS = '/api/album_edit.php' satisfies FormPath;
export type AlbumAnswer = FormAnswer<typeof ADDRESS>;

interface Options {
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}

/** A proxy's response isn't JSON. */
function read(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Throws an `ApiError` as other calls do. Its status is 0 if there was no response. */
export function sendPicture(
  fields: Record<string, string | number>,
  file: File,
  { onProgress, signal }: Options,
): Promise<AlbumAnswer> {
  return new Promise((resolve, reject) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
    body.set('photos', file);
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const refuse = (status: number, body: object) => reject(new ApiError(status, body));
    request.open('POST', ADDRESS);
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = ({ loaded }) => {
      // The loaded bytes include the rest of the form around the file.
      onProgress(Math.min(loaded, file.size));
    };
    request.onload = () => {
      const body = read(request.responseText);
      if (request.status === 200) resolve(body as AlbumAnswer);
      else refuse(request.status, body);
    };
    request.onerror = request.onabort = () => refuse(0, { code: 'offline' });
    request.onloadend = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    if (signal.aborted) refuse(0, { code: 'offline' });
    else request.send(body);
  });
}
