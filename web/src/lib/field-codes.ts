import { ApiError, type FieldCode } from './http';

/** Returns each invalid field's first error. The result is empty for other kinds of failure. */
export function fieldCodes(error: unknown): Partial<Record<string, FieldCode>> {
  if (!(error instanceof ApiError)) return {};
  const { codes, field, code, info } = error;
  const list =
    codes.length > 0 ? codes : field && field !== 'notify' ? [{ field, code, info }] : [];
  return Object.fromEntries(list.toReversed().map((item) => [item.field, item]));
}
