/** How many videos each filter option would show, or null if unknown. */
import type { Schema } from '@/api/call';
import { createStore } from '@/lib/store';

export const choiceCounts = createStore<Schema<'ChoicesAnswer'> | null>(null);

type Counts = Schema<'ChoicesAnswer'>;

/** Whether a facet narrows the list: on a site that sets no spoken languages, for example, that facet would find nothing. */
export const narrows = (choices: Counts[keyof Counts] | undefined): boolean => {
  const [all, ...others] = choices ?? [];
  return !all?.total || others.some(({ total }) => total > 0);
};
