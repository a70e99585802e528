/** What narrows a list of videos: in sight from the start beside a wide window's list, in a sheet that a phone opens. */
import { screen } from '@/lib/screen';

export const VideoFilters = screen(() => import('./video-filters'));
