/** A file whose beginning says nothing for so long is not waited for. */
const PATIENCE_MS = 5000;

/** How long a film plays, where the browser can tell without reading all of it; else null. */
export function readSeconds(file: File): Promise<number | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  return new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => {
      resolve(null);
    }, PATIENCE_MS);
    const answer = () => {
      clearTimeout(timer);
      // Streams that were cut off have no end.
      resolve(Number.isFinite(video.duration) ? video.duration : null);
    };
    video.preload = 'metadata';
    video.onloadedmetadata = answer;
    video.onerror = answer;
    video.src = url;
  }).finally(() => {
    // Without a source this ends what is still being read of the file.
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  });
}
