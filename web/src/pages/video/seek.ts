/**
 * Moves a film. Chromium may forget a seek that was asked for before anything had come, when the film is paused meanwhile, and
 * stands at the beginning: then it is asked once more.
 */
export function seek(video: HTMLVideoElement, to: number): void {
  video.currentTime = to;
  const check = () => {
    if (to > 1 && video.currentTime < 1) video.currentTime = to;
  };
  video.addEventListener('seeked', check, { once: true });
}
