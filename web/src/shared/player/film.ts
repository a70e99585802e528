/** The film that is watched, wherever on the site one is. */
import type { Video } from '@/api/types';
import { createStore } from '@/lib/store';
import type { Watching } from '@/shared/address/route';

export interface Film extends Watching {
  video: Video;
}

export const film = createStore<Film | null>(null);

/** Why there is nothing to play it with. */
export const filmFailure = createStore<Error | null>(null);
