/** Every call outside search as query options: the URL is the key. */
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '@/lib/http';
import { address, type Answer, type Path, type Schema } from './call';

/** Lifetimes (seconds) of the specification. */
const HOME_S = 14_400;
const DEFAULT_S = 86_400;
const RELATED_S = 432_000;
const SUGGEST_S = 43_200;
const LATEST_S = 3_600;
const FILE_S = 864_000;
/** Items in a block of the home page. */
export const HOME_BLOCK = 25;
/** Related videos on one page. */
export const RELATED_PAGE = 12;
const HOT_SEARCHES = 8;
const SUGGESTIONS = 10;

export interface Audience {
  lang: Schema<'Lang'>;
  gender: Schema<'Gender'>;
}

export const get = <P extends Path>(path: P, parameters: Parameters<typeof address<P>>[1]) => {
  const url = address(path, parameters);
  return queryOptions({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<Answer<P>>(url, signal),
  });
};
export const bucket = (id: number): number => 1000 * Math.floor(id / 1000);

export const mainQuery = ({ lang, gender }: Audience) =>
  get('/api/json/main/{lifetime}/{gender}.{lang}.json', {
    path: { lifetime: HOME_S, gender, lang },
  });

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get('/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json', {
    path: { lifetime: DEFAULT_S, gender, section: 'all', lang },
  });

export type HomeBlock = 'country' | 'day' | 'latest';

/** All blocks of the home page. */
export const homeQuery = (country: string, { lang, gender }: Audience) =>
  get('/api/json/home/{lifetime}/{gender}.{country}.{lang}.json', {
    path: { lifetime: LATEST_S, gender, country, lang },
  });

export const modelQuery = (dir: string) =>
  get('/api/json/model/{lifetime}/{prefix}/{dir}.json', {
    path: { lifetime: DEFAULT_S, prefix: Array.from(dir).slice(0, 2).join(''), dir },
  });

export const videoQuery = (id: number, lang: Audience['lang']) =>
  get('/api/json/video/{lifetime}/{bucket}/{video_id}.json', {
    path: { lifetime: DEFAULT_S, bucket: bucket(id), video_id: id },
    query: { lang },
  });

export const relatedQuery = (id: number, page: number, lang: Audience['lang']) =>
  get('/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json', {
    path: {
      lifetime: RELATED_S,
      count: RELATED_PAGE,
      bucket: bucket(id),
      video_id: id,
      type: 'all',
      page,
    },
    query: { lang },
  });

export const videoFileQuery = (id: number) => ({
  ...get('/api/videofile.php', { query: { video_id: id, lifetime: FILE_S } }),
  // Signed links run out; a page opened again asks again.
  gcTime: 0,
});

export const hotSearchesQuery = ({ lang }: Pick<Audience, 'lang'>) =>
  get('/api/json/suggester/{lifetime}/{count}.json', {
    path: { lifetime: SUGGEST_S, count: HOT_SEARCHES },
    query: { lang },
  });

export const suggestQuery = (text: string, { lang }: Pick<Audience, 'lang'>) =>
  get('/api/suggester.php', { query: { c: text, lang, count: SUGGESTIONS } });
