export const isOneOf = <T extends string>(
  list: readonly T[],
  value: string | null | undefined,
): value is T => value != null && (list as readonly string[]).includes(value);

/** The value where the list has it, else the other. */
export const oneOf = <T extends string, Other>(
  list: readonly T[],
  value: string | null | undefined,
  other: Other,
): T | Other => (isOneOf(list, value) ? value : other);
