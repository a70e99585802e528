/** Surroundings of search results; preloaded by pages that begin with a search. */
import { screen } from '@/lib/screen';

export const SearchHelp = screen(() => import('./search-help'));
