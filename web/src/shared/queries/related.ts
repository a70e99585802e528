/** Requests related videos. */
import { get } from '@/api/client';
import { bucket, type Audience } from '@/api/endpoints';
import { lifetimes } from '../../../generated/vocabulary';
import { limits } from '@/lib/limits';

export const relatedQuery = (id: number, page: number, lang: Audience['lang']) =>
  get('/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json', {
    lifetime: lifetimes.RELATED,
    // The API description contains only the default counts.
    count: limits().related as 12,
    bucket: bucket(id),
    video_id: id,
    type: 'all',
    page,
    lang,
  });
