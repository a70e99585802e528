/** Waits for the server-rendered page, which is visible first. The app then renders its own page in its place. */

/** The longest wait for pictures, in ms. On a slow connection, the app's own files take about as long. */
const PATIENCE_MS = 500;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

const isInSight = (picture: HTMLImageElement): boolean => {
  const { top, bottom } = picture.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/** Resolves once the server-rendered page and its first pictures are painted, so that the app's work doesn't delay them. */
export async function firstPaint(): Promise<void> {
  // A hidden page isn't painted.
  if (document.visibilityState === 'hidden') return;
  await new Promise(requestAnimationFrame);
  const pictures = [...document.querySelectorAll<HTMLImageElement>('.plain img')].filter(isInSight);
  // A failed picture doesn't block the app.
  const shown = Promise.allSettled(pictures.map((picture) => picture.decode()));
  await Promise.race([shown, wait(PATIENCE_MS)]);
  // Wait for a frame and the task after it.
  await new Promise(requestAnimationFrame);
  await wait(0);
}
