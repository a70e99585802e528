/** The one door to the API. */

/** An error body of the API, or a failure to get one (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  constructor(status: number, code: string, requestId?: string) {
    super(`${String(status)} ${code}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

interface ErrorBody {
  code?: unknown;
  request_id?: unknown;
}

async function errorOf(response: Response): Promise<ApiError> {
  // A proxy in between may answer with something other than our JSON.
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return new ApiError(
    response.status,
    typeof body.code === 'string' ? body.code : 'unavailable',
    typeof body.request_id === 'string' ? body.request_id : undefined,
  );
}

export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json' },
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
