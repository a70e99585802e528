/**
 * Types of API calls, derived from the types that `npm run gen` generates from the API description. This module contains only types and
 * no runtime code.
 */
import type { components, paths } from '../../generated/openapi';

type Json<T> = T extends { content: { 'application/json': infer Answer } } ? Answer : never;
/** Paths of calls that return JSON. */
type PathOf<Method extends 'get' | 'post'> = {
  [P in keyof paths]: paths[P] extends Record<
    Method,
    { responses: { 200: { content: { 'application/json': unknown } } } }
  >
    ? P
    : never;
}[keyof paths];
type Got<P extends Path> = paths[P] extends { get: infer Call } ? Call : never;
/** Parameters of one kind, or `never` for calls without any. */
type Part<P extends Path, Kind extends 'path' | 'query'> =
  Got<P> extends { parameters: Partial<Record<Kind, infer Values>> }
    ? [NonNullable<Values>] extends [never]
      ? unknown
      : NonNullable<Values>
    : unknown;

export type Path = PathOf<'get'>;
export type Answer<P extends Path> =
  Got<P> extends { responses: { 200: infer R } } ? Json<R> : never;
/** Query parameters of a call. */
export type Query<P extends Path> = Part<P, 'query'>;
/** All parameters of a call: first those in the path, then those in the query. */
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

/** A schema from the API description, by name. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];
