import { queryOptions } from '@tanstack/react-query';
import { get } from '@/api/client';
import { bucket, type Audience } from '@/api/endpoints';
import { DEFAULT, RELATED, VIDEO_FILE } from '@/api/lifetimes';

export const RELATED_PAGE = 12;

export const videoQuery = (id: number, lang: Audience['lang']) =>
  get('/api/json/video/{lifetime}/{bucket}/{video_id}.json', {
    lifetime: DEFAULT,
    bucket: bucket(id),
    video_id: id,
    lang,
  });

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

export const videoFileQuery = (id: number) =>
  queryOptions({
    ...get('/api/videofile.php', { video_id: id, lifetime: VIDEO_FILE }),
    // Signed links run out; a page opened again asks again.
    gcTime: 0,
  });
