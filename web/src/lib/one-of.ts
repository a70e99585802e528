export const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  (list as readonly unknown[]).includes(value);

/** Returns the value if the list contains it, else `other`. */
export const oneOf = <T extends string, Other>(
  list: readonly T[],
  value: unknown,
  other: Other,
): T | Other => (isOneOf(list, value) ? value : other);
