/**
 * Seeks a video. If it was paused before any data was loaded, Chromium may drop the seek and stay at the beginning. The seek is then
 * repeated.
 */
export function seek(video: HTMLVideoElement, to: number): void {
  video.currentTime = to;
  const check = () => {
    if (to > 1 && video.currentTime < 1) video.currentTime = to;
  };
  video.addEventListener('seeked', check, { once: true });
}
