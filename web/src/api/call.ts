/** What the API's document says of calls (`npm run gen` makes types of it), as types: nothing of this is ever loaded. */
import type { components, paths } from '../../generated/openapi';

type Json<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
type Got<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: infer Response }; parameters: { query?: infer Asked } };
}
  ? { answer: Json<Response>; query: NonNullable<Asked> }
  : { answer: never; query: never };
/** Calls that answer JSON to a GET, by their address in the document. */
export type Path = {
  [P in keyof paths]: Got<P>['answer'] extends never ? never : P;
}[keyof paths];
/** What a call answers. */
export type Answer<P extends Path> = Got<P>['answer'];
/** What a call may be asked after `?`. */
export type Query<P extends Path> = Got<P>['query'];
/** The form that a call takes. */
export type Form<P extends keyof paths> = paths[P] extends {
  post: { requestBody?: { content: infer Kinds } };
}
  ? Kinds[keyof Kinds]
  : never;
/** An object of the document by its name. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];

/** An address with something in the place of each parameter. */
type Filled<T extends string> = T extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : T;
/** Addresses of a call: its segments in the document's order, and parameters that it has. */
export type Url<P extends Path> =
  Filled<P> | `${Filled<P>}?${Extract<keyof Query<P>, string>}=${string}`;
