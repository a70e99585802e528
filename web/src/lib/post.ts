/** The door for everything that changes something: a form goes out, a typed answer comes back, or an `ApiFailure`. */
import { ApiError, type Info } from './http';

/** What is wrong with one field; `info.bound` is the limit that was passed, where there is one. */
export interface FieldCode {
  field: string;
  code: string;
  info?: Info;
}

interface ErrorBody {
  code?: string;
  field?: string;
  codes?: FieldCode[];
  info?: Info;
  request_id?: string;
}

/** A call that was refused, with all the API said about it. */
export class ApiFailure extends ApiError {
  /** The field at fault; `notify` asks for a toast. */
  readonly field: string | undefined;
  readonly codes: FieldCode[];
  constructor(status: number, body: ErrorBody) {
    super(status, body.code ?? 'unavailable', body.request_id, body.info);
    this.field = body.field;
    this.codes = body.codes ?? [];
  }
}

/** What is wrong with each field, the first reason of each; empty for failures of another kind. */
export function fieldCodes(error: unknown): Partial<Record<string, FieldCode>> {
  if (!(error instanceof ApiFailure)) return {};
  const { codes, field, code, info } = error;
  const list =
    codes.length > 0 ? codes : field && field !== 'notify' ? [{ field, code, info }] : [];
  return Object.fromEntries(list.toReversed().map((item) => [item.field, item]));
}

type Fields = Record<string, string | number | boolean | undefined>;

/** As a form is encoded; what is `undefined` or `false` is left out, as an unticked box is. */
function encoded(fields: Fields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === false) continue;
    body.set(name, value === true ? '1' : String(value));
  }
  return body;
}

/**
 * Posts a form. Answers what the call answers on success.
 *
 * Throws `ApiFailure`, with status 0 and the code `offline` where no answer came.
 */
export async function post<T = { ok: 1 }>(
  path: `/api/${string}`,
  fields: Fields | FormData,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: fields instanceof FormData ? fields : encoded(fields),
    });
  } catch {
    throw new ApiFailure(0, { code: 'offline' });
  }
  if (response.ok) return (await response.json()) as T;
  // A proxy in between may answer with something other than our JSON.
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  throw new ApiFailure(response.status, body);
}
