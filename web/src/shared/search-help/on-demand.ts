/** What surrounds search results. Pages that begin with a search preload it. */
import { screen } from '@/lib/screen';

export const SearchHelp = screen(() => import('./search-help'));
