/** Runs a function once the browser is idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  // Safari lacks requestIdleCallback.
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(run);
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(run, 200);
  return () => clearTimeout(id);
}
