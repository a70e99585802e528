/** All API requests go through this module. */
import type { components } from '../../generated/openapi';

/** Values for the error text, such as `retry_after` (seconds). */
export type Info = Record<string, string | number>;

/** The error of one field; `info.bound` is the exceeded limit, if any. */
export type FieldCode = components['schemas']['FieldCode'];
type ErrorBody = Partial<components['schemas']['Error']>;

/** An API error, or a request without a response (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly info: Info;
  /** The invalid field; `notify` asks for a toast. */
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

/** Throws `ApiError`, with status 0 and the code `offline` if there was no response. */
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
/** The page's address if the server refused it: the browser may still have outdated responses for it in its cache. */
const refused = (arrival?.responseStatus ?? 0) >= 400 ? location.href : null;

/** `cache` sets how the browser may use its cache. */
export const getJson = <T>(
  url: string,
  signal?: AbortSignal,
  cache: RequestCache = location.href === refused ? 'no-cache' : 'default',
): Promise<T> => fetchJson<T>(url, { cache, ...(signal && { signal }) });

export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;
