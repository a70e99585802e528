import { createContext, use } from 'react';

/** A context that has to be there, and the hook that reads it. */
export function requiredContext<Value>(name: string) {
  const Context = createContext<Value | null>(null);
  const useValue = (): Value => {
    const value = use(Context);
    if (!value) throw new Error(`${name} outside its provider`);
    return value;
  };
  return [Context, useValue] as const;
}
