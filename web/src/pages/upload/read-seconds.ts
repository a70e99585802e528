/** How long, in ms, to wait for the browser to read a file's metadata. */
const PATIENCE_MS = 5000;

/** Returns a video's duration, or null if the browser can't determine it without reading the whole file. */
export function readSeconds(file: File): Promise<number | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  return new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    const answer = () => {
      clearTimeout(timer);
      // Truncated streams have an infinite duration.
      resolve(Number.isFinite(video.duration) ? video.duration : null);
    };
    video.preload = 'metadata';
    video.onloadedmetadata = answer;
    video.onerror = answer;
    video.src = url;
  }).finally(() => {
    // Removing the source stops the browser from reading the file.
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  });
}
