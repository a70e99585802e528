/** Query options for calls that many screens share, keyed by URL. A call that only one screen uses is defined next to that screen. */
import type { Schema } from './call';
import { get } from './client';
import { lifetimes } from '../../generated/vocabulary';

const HOT_SEARCHES = 8;
const SUGGESTIONS = 10;

export interface Audience {
  lang: Schema<'Lang'>;
  gender: Schema<'Gender'>;
}

/** Rounds an id down to its thousand, because objects' addresses group ids in this way. */
export const bucket = (id: number): number => 1000 * Math.floor(id / 1000);

/** Path parameters for a model's calls: its name, and the name's first two characters as a prefix. */
export const modelPlace = (dir: string) => ({ prefix: Array.from(dir).slice(0, 2).join(''), dir });

export const mainQuery = ({ lang, gender }: Audience) =>
  get('/api/json/main/{lifetime}/{gender}.{lang}.json', { lifetime: lifetimes.HOME, gender, lang });

export type HomeBlock = 'country' | 'day' | 'latest';

export const homeQuery = (country: string, { lang, gender }: Audience) =>
  get('/api/json/home/{lifetime}/{gender}.{country}.{lang}.json', {
    lifetime: lifetimes.LATEST,
    gender,
    country,
    lang,
  });

export const hotSearchesQuery = ({ lang, gender }: Audience) =>
  get('/api/json/suggester/{lifetime}/{count}.json', {
    lifetime: lifetimes.SUGGESTER,
    count: HOT_SEARCHES,
    lang,
    gender,
  });

export const suggestQuery = (text: string, { lang, gender }: Audience) =>
  get('/api/suggester.php', { c: text, lang, gender, count: SUGGESTIONS });
