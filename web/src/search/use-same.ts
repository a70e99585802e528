import { useMemo } from 'react';

/** Returns the same reference while the value is deeply equal, because InstantSearch and the address create new objects each time. */
export function useSame<Value>(value: Value): Value {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as Value, [json]);
}
