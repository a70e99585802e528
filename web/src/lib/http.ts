/** Sends all API requests of the app. */
import type { components } from '../../generated/openapi';

/** Values for the error text, such as `retry_after` (seconds). */
export type Info = Record<string, string | number>;

/** The error for one field. `info.bound` is the exceeded limit, if any. */
export type FieldCode = components['schemas']['FieldCode'];
type ErrorBody = Partial<components['schemas']['Error']>;

/** An error from the API, or a failure without a response (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly info: Info;
  /** The invalid field, or `notify` if the error should be shown as a toast. */
  readonly field: string | undefined;
  readonly codes: FieldCode[];
  constructor(status: number, body: ErrorBody) {
    const { code = 'unavailable', request_id, info = {}, field, codes = [] } = body;
    super(`${String(status)} ${code}`);
    this.status = status;
    this.code = code;
    this.requestId = request_id;
    this.info = info;
    this.field = field;
    this.codes = codes;
  }
}

/** Throws an `ApiError`. If there was no response, its status is 0 and its code is `offline`. */
export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { accept: 'application/json' } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, { code: 'offline' });
  }
  if (response.ok) return (await response.json()) as T;
  // A proxy in between may respond with something other than our JSON.
  throw new ApiError(response.status, (await response.json().catch(() => ({}))) as ErrorBody);
}

const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** The page's address if the server refused it. The browser's cache may then still hold outdated responses for that address. */
const refused = (arrival?.responseStatus ?? 0) >= 400 ? location.href : null;

/** Requests JSON. `cache` sets how the browser may use its cache. */
export const getJson = <T>(
  url: string,
  signal?: AbortSignal,
  cache: RequestCache = location.href === refused ? 'no-cache' : 'default',
): Promise<T> => fetchJson<T>(url, { cache, ...(signal && { signal }) });

export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;
