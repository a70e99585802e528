import { ApiError, type FieldCode } from './http';

/** What is wrong with each field, the first reason of each; empty for failures of another kind. */
export function fieldCodes(error: unknown): Partial<Record<string, FieldCode>> {
  if (!(error instanceof ApiError)) return {};
  const { codes, field, code, info } = error;
  const list =
    codes.length > 0 ? codes : field && field !== 'notify' ? [{ field, code, info }] : [];
  return Object.fromEntries(list.toReversed().map((item) => [item.field, item]));
}
