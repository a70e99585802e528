/** Where the player of the film stands: on its page, or in a corner of another. */
import type { RefObject } from 'react';
import { createStore } from '@/lib/store';
import { film, type Film } from './film';

const stage = createStore<HTMLElement | null>(null);
let corner: HTMLElement | null = null;

export const player: RefObject<HTMLVideoElement | null> = { current: null };
export const useIsMini = (): boolean => stage.useValue() === null;

/** Holds the player. It moves as a whole, since a film that leaves the document stops. */
export const box = document.createElement('div');
box.className = 'size-full';

function move(to: HTMLElement): void {
  // Where the browser can, full screen and picture in picture stay, too.
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

export const stopFilm = (): void => {
  film.write(null);
};

/** The page of a video has a place for the player; another film than its own is over. */
export function enterStage(element: HTMLElement, id: number): void {
  if (film.read()?.video.video_id !== id) stopFilm();
  stage.write(element);
  move(element);
}

/** The page goes, while it is still in the document: a film that plays goes on in the corner. */
export function leaveStage(): void {
  const video = player.current;
  if (corner && video && !video.paused && !video.ended) move(corner);
  else stopFilm();
  stage.write(null);
}

/** Who comes back to a film finds it as it goes on; another second in the address starts it there. */
export function watch(next: Film): void {
  const now = film.read();
  const isSame =
    now?.video.video_id === next.video.video_id &&
    (next.startTime === 0 || next.startTime === now.startTime);
  film.write(isSame ? { ...next, startTime: now.startTime } : next);
}
