/** The location of the player: on the video's page, or in the corner of another. */
import type { RefObject } from 'react';
import { createStore } from '@/lib/store';
import { film, type Film } from './film';

const stage = createStore<HTMLElement | null>(null);
let corner: HTMLElement | null = null;

export const player: RefObject<HTMLVideoElement | null> = { current: null };
export const useIsMini = (): boolean => stage.useValue() === null;

/** Holds the player. It moves as a whole, because a video removed from the document stops. */
export const box = document.createElement('div');
box.className = 'size-full';

function move(to: HTMLElement): void {
  // If supported, full screen and picture-in-picture survive the move.
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

/** A video's page provides the player's place; a different video is stopped. */
export function enterStage(element: HTMLElement, id: number): void {
  if (film.read()?.video.video_id !== id) stopFilm();
  stage.write(element);
  move(element);
}

/** Called while the leaving page is still in the document: a playing video continues in the corner. */
export function leaveStage(): void {
  const video = player.current;
  if (corner && video && !video.paused && !video.ended) move(corner);
  else stopFilm();
  stage.write(null);
}

/** Returning to the video keeps it playing; a different start time in the address seeks there. */
export function watch(next: Film): void {
  const now = film.read();
  const isSame =
    now?.video.video_id === next.video.video_id &&
    (next.startTime === 0 || next.startTime === now.startTime);
  film.write(isSame ? { ...next, startTime: now.startTime } : next);
}
