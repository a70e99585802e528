/** Calls that many screens make, as query options: the URL is the key. Those of one screen stand beside it. */
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '@/lib/http';
import type { Answer, Path, Schema, Url } from './call';

/** Lifetimes (seconds) of the specification. */
const HOME_S = 14_400;
export const DEFAULT_S = 86_400;
const SUGGEST_S = 43_200;
const LATEST_S = 3_600;
/** Items in a block of the home page. */
export const HOME_BLOCK = 25;
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

export type HomeBlock = 'country' | 'day' | 'latest';

/** All blocks of the home page. */
export const homeQuery = (country: string, { lang, gender }: Audience) =>
  get<'/api/json/home/{lifetime}/{gender}.{country}.{lang}.json'>(
    `/api/json/home/${String(LATEST_S)}/${gender}.${country}.${lang}.json`,
  );

export const hotSearchesQuery = ({ lang }: Pick<Audience, 'lang'>) =>
  get<'/api/json/suggester/{lifetime}/{count}.json'>(
    `/api/json/suggester/${String(SUGGEST_S)}/${String(HOT_SEARCHES)}.json?lang=${lang}`,
  );

export const suggestQuery = (text: string, { lang }: Pick<Audience, 'lang'>) =>
  get<'/api/suggester.php'>(
    `/api/suggester.php?c=${encodeURIComponent(text)}&lang=${lang}&count=${String(SUGGESTIONS)}`,
  );
