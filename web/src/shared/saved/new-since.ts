/** The saved list being viewed, and the time since which its videos are new; null if the list isn't saved. */
import { createStore } from '@/lib/store';

export const newSince = createStore<{ list: string; since: string } | null>(null);
