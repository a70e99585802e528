import { useState, type ComponentType } from 'react';

const ignore = () => undefined;

/** Returns a component that loads on first use. If loading fails, the next use retries. */
export function useOnDemand<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const [part, setPart] = useState<{ Part: ComponentType<Props> } | null>(null);
  return {
    Part: part?.Part,
    prefetch: () => void load().catch(ignore),
    ask: () => void load().then(({ default: Part }) => setPart({ Part }), ignore),
  };
}
