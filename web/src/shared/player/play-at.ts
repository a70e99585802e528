/** Plays the video that is being watched from a second on, wherever the player is. */
import { film } from './film';
import { box, player } from './now-playing';
import { seek } from './seek';

/** The start time for the beginning of a video, because 0 resumes where the visitor stopped. */
const BEGINNING = 0.01;

export function playAt(seconds: number): void {
  const now = film.read();
  const video = player.current;
  if (!now) return;
  if (video && video.readyState > 0) {
    seek(video, seconds);
    // The browser may refuse to play, and the play button remains.
    video.play().catch(() => undefined);
  } else {
    film.write({ ...now, startTime: Math.max(seconds, BEGINNING), autoplay: true });
  }
  // The header covers the top of the window.
  box.style.scrollMargin = '7rem 0';
  box.scrollIntoView({ block: 'nearest' });
}
