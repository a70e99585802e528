/** How many videos each filter option would show, or null if unknown. */
import type { Schema } from '@/api/call';
import { createStore } from '@/lib/store';

export const choiceCounts = createStore<Schema<'ChoicesAnswer'> | null>(null);
