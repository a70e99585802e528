export const isOneOf = <T extends string>(
  list: readonly T[],
  value: string | null | undefined,
): value is T => value != null && (list as readonly string[]).includes(value);
