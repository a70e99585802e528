/** What stands around the results of a search; a page that begins with one loads it before. */
import { screen } from '@/lib/screen';

export const SearchHelp = screen(() => import('./search-help'));
