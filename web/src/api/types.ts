/** What the API answers; names and units are its own (API.md). */

export interface Ref {
  dir: string;
  title: string;
}

export interface VideoCard {
  video_id: number;
  dir: string;
  title: string;
  /** `h:m:s`, e.g. `12:05`. */
  duration: string;
  thumb: string;
  thumbsrc: string;
  /** Ten frames in one row. */
  scr: string;
  img: string;
  /** RFC 3339. */
  post_date: string;
  /** 0–5. */
  rating: number;
  video_viewed: number;
  comments: number;
  is_hd: boolean;
  is_uncensored: boolean;
  models: Ref[];
  categories: Ref[];
  /** Search only: HTML-escaped but for `<mark>` around what matched. */
  _formatted?: { title?: string };
}

export interface Video extends VideoCard {
  description: string;
  status_id: number;
  is_private: number | boolean;
  gender: string;
  user: { id: number; username: string; avatar: string | null } | null;
  channel: { id: number; url: string; title: string } | null;
  statistics: { viewed: number; likes: number; dislikes: number };
}
/** A deleted or private video tells only what it is. */
export type GoneVideo = Pick<Video, 'video_id' | 'status_id' | 'is_private' | 'title'>;

export interface CategoryCard {
  dir: string;
  title: string;
  total_videos: number;
  thumb?: string;
}

export interface ModelCard {
  model_id: number;
  dir: string;
  title: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  thumbs: string;
  total_videos: number;
  viewed: number;
  subscribers: number;
  /** Years. */
  age: number | null;
}

export interface Model extends ModelCard {
  aliases: string[];
  race: string | null;
  hair_color: string | null;
  tits_size: string | null;
  /** cm */
  height: number | null;
  /** kg */
  weight: number | null;
  tattoo: string | boolean | null;
  piercing: string | boolean | null;
  about: string | null;
  statistics: { videos: number; viewed: number; subscribers: number };
}

export interface FacetValue {
  value: string;
  label: string;
  total: number;
}

/** A part of the wish that a search without hits gives up. */
export type Relaxed = 'duration' | 'date' | 'category' | 'last_word';

/** What a search says beside its videos. */
export interface SearchHelp {
  /** What was given up so that something is found. */
  relaxed?: Relaxed[];
  /** The query without the words that were given up. */
  shown_for?: string;
  /** What was given up in vain. */
  tried?: Relaxed[];
  /** A better known spelling that finds more. */
  did_you_mean?: string;
  /** What else is called so; first page only. */
  groups?: { models: ModelCard[]; categories: CategoryCard[] };
}
export interface VideosAnswer extends SearchHelp {
  videos: VideoCard[];
  total_count: number;
  pages: number;
  categories: CategoryCard[];
}
export interface ModelsAnswer {
  models: ModelCard[];
  total_count: number;
  pages: number;
  facets: Record<string, FacetValue[]>;
  stats?: Record<string, { min: number; max: number }>;
}
export interface FacetsAnswer {
  facets: FacetValue[];
}
export interface MainAnswer {
  categories: CategoryCard[];
  keywords: { title: string }[];
  models: Pick<ModelCard, 'title' | 'dir' | 'country' | 'thumbs' | 'total_videos'>[];
}
export interface Suggestion {
  title: string;
  type: 'query' | 'category' | 'model';
  dir?: string;
  total: number;
  _formatted?: { title?: string };
}
export interface Stream {
  type: 'hls' | 'mp4';
  /** Pixels; 0 or absent where the stream adapts. */
  height?: number | null;
  url: string;
  is_default: boolean;
}
export interface VideoFile {
  video_url: Stream[];
  timeline?: { vtt: string } | null;
  expires: number | string;
}
