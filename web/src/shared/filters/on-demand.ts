/** Filters of a video list: visible from the start in wide windows, in a sheet on phones. */
import { screen } from '@/lib/screen';

export const VideoFilters = screen(() => import('./video-filters'));
