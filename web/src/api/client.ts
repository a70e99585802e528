/** API calls that are typed by the API description: a misspelled address, parameter or field is a type error. */
import { queryOptions } from '@tanstack/react-query';
import { fetchJson, getJson } from '@/lib/http';
import type { Answer, Form, FormAnswer, FormPath, Path, Values } from './call';

type Value = string | number | boolean | undefined;

/** Encodes fields as a form. `undefined` and `false` are omitted, like an unchecked box. */
export function encoded(fields: Iterable<[string, Value]>): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === false) continue;
    body.set(name, value === true ? '1' : String(value));
  }
  return body;
}

/** Returns a call's URL in the server's spelling. The URL is also the response's cache key. */
export function addressOf<P extends Path>(path: P, values: Values<P>): string {
  const left = new Map(Object.entries(values as Record<string, Value>));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name) ?? '';
    left.delete(name);
    // The server doesn't encode commas.
    return encodeURIComponent(value).replaceAll('%2C', ',');
  });
  const query = encoded(left).toString();
  return query ? `${address}?${query}` : address;
}

/** Makes a call. Pass a `Narrowed` type if the API description leaves the response type open. */
export const fetchAnswer = <P extends Path, Narrowed extends Answer<P> = Answer<P>>(
  path: P,
  values: Values<P>,
  signal?: AbortSignal,
): Promise<Narrowed> => getJson<Narrowed>(addressOf(path, values), signal);

export const get = <P extends Path, Narrowed extends Answer<P> = Answer<P>>(
  path: P,
  values: Values<P>,
) =>
  queryOptions({
    queryKey: [addressOf(path, values)],
    queryFn: ({ signal }) => fetchAnswer<P, Narrowed>(path, values, signal),
  });

/** Maximum size, in characters, of a form sent with `keepalive`. Browsers refuse more than 64 KiB in flight. */
const KEEPALIVE_MAX = 4096;

const inFlight = new Set<Promise<unknown>>();

/** Resolves when all pending posts are settled. */
export const posted = () => Promise.allSettled(inFlight);

/** Posts a form. Resolves to the response if the call succeeds. */
export async function post<P extends FormPath>(
  path: P,
  fields: Form<P> | FormData,
): Promise<FormAnswer<P>> {
  const body = fields instanceof FormData ? fields : encoded(Object.entries(fields));
  // The action is still sent if the visitor leaves the page before the response arrives.
  const keepalive = body instanceof URLSearchParams && body.toString().length <= KEEPALIVE_MAX;
  const answer = fetchJson<FormAnswer<P>>(path, { method: 'POST', body, keepalive });
  inFlight.add(answer);
  try {
    return await answer;
  } finally {
    inFlight.delete(answer);
  }
}
