/** The saved list that its visitor looks at, and since when a video is new to them there; null where the list isn't saved. */
import { createStore } from '@/lib/store';

export const newSince = createStore<{ list: string; since: string } | null>(null);
