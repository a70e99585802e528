/** The player's location: on the video's page, or in the corner of another page. */
import type { RefObject } from 'react';
import { createStore } from '@/lib/store';
import { film, type Film } from './film';

const stage = createStore<HTMLElement | null>(null);
let corner: HTMLElement | null = null;

export const player: RefObject<HTMLVideoElement | null> = { current: null };
export const useIsMini = (): boolean => stage.useValue() === null;

/** The element that holds the player. It moves as a whole, because a video stops when it is removed from the document. */
export const box = document.createElement('div');
box.className = 'size-full';

function move(to: HTMLElement): void {
  // If this is supported, full screen and picture-in-picture survive the move.
  if ('moveBefore' in to && box.isConnected && to.isConnected) {
    to.moveBefore(box, null);
  } else {
    to.append(box);
  }
}

export function setCorner(element: HTMLElement | null): void {
  corner = element;
  if (corner && !stage.read()) move(corner);
}

export const stopFilm = (): void => film.write(null);

/** Places the player on a video's page. If another video was playing, it is stopped. */
export function enterStage(element: HTMLElement, id: number): void {
  if (film.read()?.video.video_id !== id) stopFilm();
  stage.write(element);
  move(element);
}

/** Called while the page that is being left is still in the document. A video that is playing continues in the corner. */
export function leaveStage(): void {
  const video = player.current;
  if (corner && video && !video.paused && !video.ended) move(corner);
  else stopFilm();
  stage.write(null);
}

/** The start time in the address of the video that is being watched. */
let asked = 0;

/** Sets the video to watch. Returning to the current video keeps it playing, and a different start time in the address seeks there. */
export function watch(next: Film): void {
  const now = film.read();
  const isSame =
    now?.video.video_id === next.video.video_id &&
    (next.startTime === 0 || next.startTime === asked);
  if (!isSame) asked = next.startTime;
  film.write(isSame ? { ...next, startTime: now.startTime } : next);
}
