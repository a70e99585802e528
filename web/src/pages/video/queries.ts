import { queryOptions } from '@tanstack/react-query';
import { fetchAnswer, get } from '@/api/client';
import { bucket, type Audience } from '@/api/endpoints';
import { lifetimes } from '../../../generated/vocabulary';

export const videoQuery = (id: number, lang: Audience['lang']) =>
  get('/api/json/video/{lifetime}/{bucket}/{video_id}.json', {
    lifetime: lifetimes.DEFAULT,
    bucket: bucket(id),
    video_id: id,
    lang,
  });

const fileOf = (id: number) => ({ video_id: id });

/** Fetches fresh links, bypassing the cache. */
export const fetchVideoFile = (id: number) => fetchAnswer('/api/videofile.php', fileOf(id));

export const videoFileQuery = (id: number) =>
  queryOptions({
    ...get('/api/videofile.php', fileOf(id)),
    // Signed links expire, so a reopened page must request new ones.
    gcTime: 0,
  });
