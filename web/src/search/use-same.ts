import { useMemo } from 'react';

/** The same value for as long as it says the same: InstantSearch and the address make theirs anew each time. */
export function useSame<Value>(value: Value): Value {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as Value, [json]);
}
