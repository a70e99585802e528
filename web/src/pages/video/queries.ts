/** The calls of a video's page. */
import { queryOptions } from '@tanstack/react-query';
import { bucket, DEFAULT_S, get, type Audience } from '@/api/endpoints';

/** Lifetimes (seconds) of the specification. */
const RELATED_S = 432_000;
const FILE_S = 864_000;
/** Related videos on one page. */
export const RELATED_PAGE = 12;

export const videoQuery = (id: number, lang: Audience['lang']) =>
  get<'/api/json/video/{lifetime}/{bucket}/{video_id}.json'>(
    `/api/json/video/${String(DEFAULT_S)}/${bucket(id)}/${String(id)}.json?lang=${lang}`,
  );

export const relatedQuery = (id: number, page: number, lang: Audience['lang']) =>
  get<'/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json'>(
    `/api/json/videos_related2/${String(RELATED_S)}/${String(RELATED_PAGE)}/${bucket(id)}/${String(id)}.all.${String(page)}.json?lang=${lang}`,
  );

export const videoFileQuery = (id: number) =>
  queryOptions({
    ...get<'/api/videofile.php'>(
      `/api/videofile.php?video_id=${String(id)}&lifetime=${String(FILE_S)}`,
    ),
    // Signed links run out; a page opened again asks again.
    gcTime: 0,
  });
