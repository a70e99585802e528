/** The calls of a video's page. */
import { queryOptions } from '@tanstack/react-query';
import { get } from '@/api/client';
import { bucket, DEFAULT_S, type Audience } from '@/api/endpoints';

/** Lifetimes (seconds) of the specification. */
const RELATED_S = 432_000;
const FILE_S = 864_000;
/** Related videos on one page. */
export const RELATED_PAGE = 12;

export const videoQuery = (id: number, lang: Audience['lang']) =>
  get('/api/json/video/{lifetime}/{bucket}/{video_id}.json', {
    lifetime: DEFAULT_S,
    bucket: bucket(id),
    video_id: id,
    lang,
  });

export const relatedQuery = (id: number, page: number, lang: Audience['lang']) =>
  get('/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json', {
    lifetime: RELATED_S,
    count: RELATED_PAGE,
    bucket: bucket(id),
    video_id: id,
    type: 'all',
    page,
    lang,
  });

export const videoFileQuery = (id: number) =>
  queryOptions({
    ...get('/api/videofile.php', { video_id: id, lifetime: FILE_S }),
    // Signed links run out; a page opened again asks again.
    gcTime: 0,
  });
