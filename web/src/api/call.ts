/** What the API's document says of calls (`npm run gen` makes types of it), as types: nothing of this is ever loaded. */
import type { components, paths } from '../../generated/openapi';

type Json<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
/** Calls that answer JSON, by their address in the document. */
type PathOf<Method extends 'get' | 'post'> = {
  [P in keyof paths]: paths[P] extends Record<
    Method,
    { responses: { 200: { content: { 'application/json': unknown } } } }
  >
    ? P
    : never;
}[keyof paths];
type Got<P extends Path> = paths[P] extends { get: infer Call } ? Call : never;
/** Parameters of one kind; a call without any says `never`. */
type Part<P extends Path, Kind extends 'path' | 'query'> =
  Got<P> extends { parameters: Partial<Record<Kind, infer Values>> }
    ? [NonNullable<Values>] extends [never]
      ? unknown
      : NonNullable<Values>
    : unknown;

export type Path = PathOf<'get'>;
export type Answer<P extends Path> =
  Got<P> extends { responses: { 200: infer R } } ? Json<R> : never;
/** What a call may be asked after `?`. */
export type Query<P extends Path> = Part<P, 'query'>;
/** All that a call is asked: the places of its address, then what stands after `?`. */
export type Values<P extends Path> = Part<P, 'path'> & Part<P, 'query'>;

export type FormPath = PathOf<'post'>;
export type Form<P extends FormPath> = paths[P] extends {
  post: { requestBody?: { content: infer Kinds } };
}
  ? unknown extends Kinds
    ? Record<string, never>
    : Kinds[keyof Kinds]
  : never;
export type FormAnswer<P extends FormPath> = paths[P] extends {
  post: { responses: { 200: infer R } };
}
  ? Json<R>
  : never;

/** An object of the document by its name. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];
