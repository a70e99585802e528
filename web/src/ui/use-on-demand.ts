import { useState, type ComponentType } from 'react';

const ignore = () => undefined;

/** A component that the first use asks for. Where it can't be had now, the next use asks again. */
export function useOnDemand<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const [part, setPart] = useState<{ Part: ComponentType<Props> } | null>(null);
  return {
    Part: part?.Part,
    prefetch: () => void load().catch(ignore),
    ask: () =>
      void load().then(({ default: Part }) => {
        setPart({ Part });
      }, ignore),
  };
}
