/** The video that is being watched, wherever on the site the visitor is. */
import type { Video } from '@/api/types';
import { createStore } from '@/lib/store';
import type { Watching } from '@/shared/address/route';

export interface Film extends Watching {
  video: Video;
}

export const film = createStore<Film | null>(null);

/** Why the player could not be loaded. */
export const filmFailure = createStore<Error | null>(null);
