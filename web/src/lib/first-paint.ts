/** The page as the server wrote it is what is seen first; the app draws its own in its place. */

/** Longest wait for pictures; on a slow line the app's own files take about as long. */
const PATIENCE_MS = 500;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

const isInSight = (picture: HTMLImageElement): boolean => {
  const { top, bottom } = picture.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/** Resolves once the server's page is on the screen with its first pictures, so that the app's work doesn't hold them back. */
export async function firstPaint(): Promise<void> {
  // Out of sight nothing is painted.
  if (document.visibilityState === 'hidden') return;
  await new Promise(requestAnimationFrame);
  const pictures = [...document.querySelectorAll<HTMLImageElement>('.plain img')].filter(isInSight);
  // One that fails keeps nobody waiting.
  const shown = Promise.allSettled(pictures.map((picture) => picture.decode()));
  await Promise.race([shown, wait(PATIENCE_MS)]);
  // A frame, and what comes after it.
  await new Promise(requestAnimationFrame);
  await wait(0);
}
