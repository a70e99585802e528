/** Calls of the API, typed by its document: a misspelled address, parameter or field is a type error. */
import { queryOptions } from '@tanstack/react-query';
import { fetchJson, getJson } from '@/lib/http';
import type { Answer, Form, FormAnswer, FormPath, Path, Values } from './call';

type Value = string | number | boolean | undefined;

/** As a form is encoded; what is `undefined` or `false` is left out, as an unticked box is. */
function encoded(fields: Iterable<[string, Value]>): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === false) continue;
    body.set(name, value === true ? '1' : String(value));
  }
  return body;
}

/** The address of a call, as the server spells it. It is also the key of its answer in the cache. */
export function addressOf<P extends Path>(path: P, values: Values<P>): string {
  const left = new Map(Object.entries(values as Record<string, Value>));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name) ?? '';
    left.delete(name);
    // The server leaves commas as they are.
    return encodeURIComponent(value).replaceAll('%2C', ',');
  });
  const query = encoded(left).toString();
  return query ? `${address}?${query}` : address;
}

/** Makes a call. A narrower `Told` says what the document leaves open. */
export const fetchAnswer = <P extends Path, Told extends Answer<P> = Answer<P>>(
  path: P,
  values: Values<P>,
  signal?: AbortSignal,
): Promise<Told> => getJson<Told>(addressOf(path, values), signal);

export const get = <P extends Path, Told extends Answer<P> = Answer<P>>(
  path: P,
  values: Values<P>,
) =>
  queryOptions({
    queryKey: [addressOf(path, values)],
    queryFn: ({ signal }) => fetchAnswer<P, Told>(path, values, signal),
  });

/** Characters of a form that is still sent when its page is left; browsers refuse more than 64 KiB of them at once. */
const OUTLIVES = 4096;

const underWay = new Set<Promise<unknown>>();

/** Resolves when what was posted so far has its answers. */
export const posted = () => Promise.allSettled(underWay);

/** Posts a form. Answers what the call answers on success. */
export async function post<P extends FormPath>(
  path: P,
  fields: Form<P> | FormData,
): Promise<FormAnswer<P>> {
  const body = fields instanceof FormData ? fields : encoded(Object.entries(fields));
  // What was clicked counts, even if the page is left before the answer.
  const keepalive = body instanceof URLSearchParams && body.toString().length <= OUTLIVES;
  const answer = fetchJson<FormAnswer<P>>(path, { method: 'POST', body, keepalive });
  underWay.add(answer);
  try {
    return await answer;
  } finally {
    underWay.delete(answer);
  }
}
