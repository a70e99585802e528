/** The filters for a video list. They are visible from the start in wide windows, and in a sheet on phones. */
import { screen } from '@/lib/screen';

export const VideoFilters = screen(() => import('./video-filters'));
