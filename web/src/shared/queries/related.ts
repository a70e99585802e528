/** Videos like another one. */
import { get } from '@/api/client';
import { bucket, type Audience } from '@/api/endpoints';
import { RELATED } from '@/api/lifetimes';

export const RELATED_PAGE = 12;

export const relatedQuery = (id: number, page: number, lang: Audience['lang']) =>
  get('/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json', {
    lifetime: RELATED,
    count: RELATED_PAGE,
    bucket: bucket(id),
    video_id: id,
    type: 'all',
    page,
    lang,
  });
