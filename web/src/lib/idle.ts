/** Runs once the browser has nothing better to do; returns what calls it off. */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(run);
    return () => {
      cancelIdleCallback(id);
    };
  }
  const id = setTimeout(run, 200);
  return () => {
    clearTimeout(id);
  };
}
