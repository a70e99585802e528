/** Since when a video of the list on the page is new to its visitor; null where they saved no such list. */
import { createStore } from '@/lib/store';

export const newSince = createStore<string | null>(null);
