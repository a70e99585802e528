/** The one door to the API. */

/** Facts an error text may name, as `retry_after` (seconds). */
export type Info = Record<string, string | number>;

/** An error body of the API, or a failure to get one (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly info: Info;
  constructor(status: number, code: string, requestId?: string, info: Info = {}) {
    super(`${String(status)} ${code}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.info = info;
  }
}

interface ErrorBody {
  code?: string;
  request_id?: string;
  info?: Info;
}

async function errorOf(response: Response): Promise<ApiError> {
  // A proxy in between may answer with something other than our JSON.
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return new ApiError(response.status, body.code ?? 'unavailable', body.request_id, body.info);
}

/** `cache` is how the browser may use what it kept. */
export async function getJson<T>(
  url: string,
  signal?: AbortSignal,
  cache: RequestCache = 'default',
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json' },
      cache,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'offline');
  }
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;
