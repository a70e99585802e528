/** The saved list that is being viewed, and the time after which its videos are new. The store holds null if the list isn't saved. */
import { createStore } from '@/lib/store';

export const newSince = createStore<{ list: string; since: string } | null>(null);
