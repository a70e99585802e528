/** Every call outside search as query options: the URL is the key. */
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '@/lib/http';
import type { Answer, Path, Schema, Url } from './call';

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

/** The call whose address in the document is named; an address that doesn't fit it is a type error. */
export const get = <P extends Path>(url: Url<P>) => {
  const key: string = url;
  return queryOptions({
    queryKey: [key],
    queryFn: ({ signal }) => getJson<Answer<P>>(key, signal),
  });
};
export const bucket = (id: number): string => String(1000 * Math.floor(id / 1000));

/** A model's name in addresses, behind its first two characters. */
export const prefixed = (dir: string) =>
  `${encodeURIComponent(Array.from(dir).slice(0, 2).join(''))}/${encodeURIComponent(dir)}` as const;

export const mainQuery = ({ lang, gender }: Audience) =>
  get<'/api/json/main/{lifetime}/{gender}.{lang}.json'>(
    `/api/json/main/${String(HOME_S)}/${gender}.${lang}.json`,
  );

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get<'/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json'>(
    `/api/json/categories/${String(DEFAULT_S)}/${gender}.all.${lang}.json`,
  );

export type HomeBlock = 'country' | 'day' | 'latest';

/** All blocks of the home page. */
export const homeQuery = (country: string, { lang, gender }: Audience) =>
  get<'/api/json/home/{lifetime}/{gender}.{country}.{lang}.json'>(
    `/api/json/home/${String(LATEST_S)}/${gender}.${country}.${lang}.json`,
  );

export const modelQuery = (dir: string) =>
  get<'/api/json/model/{lifetime}/{prefix}/{dir}.json'>(
    `/api/json/model/${String(DEFAULT_S)}/${prefixed(dir)}.json`,
  );

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

export const hotSearchesQuery = ({ lang }: Pick<Audience, 'lang'>) =>
  get<'/api/json/suggester/{lifetime}/{count}.json'>(
    `/api/json/suggester/${String(SUGGEST_S)}/${String(HOT_SEARCHES)}.json?lang=${lang}`,
  );

export const suggestQuery = (text: string, { lang }: Pick<Audience, 'lang'>) =>
  get<'/api/suggester.php'>(
    `/api/suggester.php?c=${encodeURIComponent(text)}&lang=${lang}&count=${String(SUGGESTIONS)}`,
  );
