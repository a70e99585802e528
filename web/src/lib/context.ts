import { createContext, use } from 'react';

/** Creates a context that must be provided, and the hook that reads the context. */
export function requiredContext<Value>(name: string) {
  const Context = createContext<Value | null>(null);
  const useValue = (): Value => {
    const value = use(Context);
    if (!value) throw new Error(`${name} outside its provider`);
    return value;
  };
  return [Context, useValue] as const;
}
