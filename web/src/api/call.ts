/** What the API's document says of calls (`openapi.ts` is generated from it), as types: nothing of this is ever loaded. */
import type { components, paths } from './openapi';

type Json<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
/** Calls that answer JSON, by their address in the document. */
export type Path = {
  [P in keyof paths]: Json<paths[P]['get']['responses'][200]> extends never ? never : P;
}[keyof paths];
/** What a call answers. */
export type Answer<P extends Path> = Json<paths[P]['get']['responses'][200]>;
/** What a call may be asked after `?`. */
export type Query<P extends Path> = NonNullable<paths[P]['get']['parameters']['query']>;
/** An object of the document by its name. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];

/** An address with something in the place of each parameter. */
type Filled<T extends string> = T extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : T;
/** Addresses of a call: its segments in the document's order, and parameters that it has. */
export type Url<P extends Path> =
  Filled<P> | `${Filled<P>}?${Extract<keyof Query<P>, string>}=${string}`;
