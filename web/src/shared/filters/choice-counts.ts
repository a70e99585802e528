/** How many videos each choice beside the list would show; null where it is not known. */
import type { Schema } from '@/api/call';
import { createStore } from '@/lib/store';

export const choiceCounts = createStore<Schema<'ChoicesAnswer'> | null>(null);
