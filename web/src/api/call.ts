/** Addresses and answers of the API as its document has them (`openapi.ts` is generated from it). */
import type { components, paths } from './openapi';

type Json<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
/** Calls that answer JSON. */
export type Path = {
  [P in keyof paths]: Json<paths[P]['get']['responses'][200]> extends never ? never : P;
}[keyof paths];
/** What a call answers. */
export type Answer<P extends Path> = Json<paths[P]['get']['responses'][200]>;
/** An object of the document by its name. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];

type Parameters<P extends Path> = paths[P]['get']['parameters'];
type PathOf<P extends Path> =
  Parameters<P> extends { path: infer T } ? { path: T } : { path?: never };
type QueryOf<P extends Path> =
  Parameters<P> extends { query: infer T } ? { query: T } : { query?: Parameters<P>['query'] };

/** The lists that screens and searches share. */
export const VIDEOS =
  '/api/json/videos2/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json';
export const MODELS =
  '/api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json';

/** Commas stay as they are: that is how the server spells addresses, and the same call must have one. */
const segment = (value: unknown): string =>
  encodeURIComponent(String(value)).replaceAll('%2C', ',');

/** The address of a call. */
export function address<P extends Path>(
  path: P,
  { path: parts, query }: PathOf<P> & QueryOf<P>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment((parts as Record<string, unknown>)[name]),
  );
  const asked = new URLSearchParams(query as Record<string, string> | undefined).toString();
  return asked ? `${filled}?${asked}` : filled;
}
