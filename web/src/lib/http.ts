/** The one door to the API. */
import type { components } from '../../generated/openapi';

/** Facts an error text may name, as `retry_after` (seconds). */
export type Info = Record<string, string | number>;

/** What is wrong with one field; `info.bound` is the limit that was passed, where there is one. */
export type FieldCode = components['schemas']['FieldCode'];
type ErrorBody = Partial<components['schemas']['Error']>;

/** An error body of the API, or a failure to get one (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly info: Info;
  /** The field at fault; `notify` asks for a toast. */
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

/** Throws `ApiError`, with status 0 and the code `offline` where no answer came. */
export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { accept: 'application/json' } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, { code: 'offline' });
  }
  if (response.ok) return (await response.json()) as T;
  // A proxy in between may answer with something other than our JSON.
  throw new ApiError(response.status, (await response.json().catch(() => ({}))) as ErrorBody);
}

const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** The page that the server had nothing for: what the browser kept of it from before says otherwise. */
const refused = (arrival?.responseStatus ?? 0) >= 400 ? location.href : null;

/** `cache` is how the browser may use what it kept. */
export const getJson = <T>(
  url: string,
  signal?: AbortSignal,
  cache: RequestCache = location.href === refused ? 'no-cache' : 'default',
): Promise<T> => fetchJson<T>(url, { cache, ...(signal && { signal }) });

export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;
