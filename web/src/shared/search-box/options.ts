/** The suggestion list's contents: groups of links, in the order used on screen and for the arrow keys. */
import type { Suggestion, Suggestions } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { highlightParts, type Part } from '@/lib/highlight';

export interface Option {
  key: string;
  parts: Part[];
  /** What tells a model apart from others of this name. */
  detail?: string | undefined;
  href: string;
  /** The search that the option stands for. It is remembered when the option is chosen. */
  query: string | null;
  total: number | null;
  /** The option's picture. It is empty if a model or video has none, and null for types without pictures. */
  thumb: string | null;
  /** The text's language, if it may differ from the visitor's. */
  lang?: string;
}
export type GroupName = 'recent' | 'hot' | 'query' | 'category' | 'model' | 'video';
export interface Group {
  name: GroupName;
  options: Option[];
}

const plain = (text: string): Part[] => [{ text, marked: false }];

function option(suggestion: Suggestion): Option {
  const { type, title, detail, dir, total, thumb, _formatted } = suggestion;
  const href =
    type === 'category' && dir
      ? paths.category(dir)
      : type === 'model' && dir
        ? paths.model(dir)
        : paths.search(title);
  return {
    key: `${type}-${dir ?? title}`,
    parts: _formatted?.title ? highlightParts(_formatted.title) : plain(title),
    detail,
    href,
    query: type === 'query' ? title : null,
    total,
    thumb: type === 'model' ? (thumb ?? '') : null,
  };
}

const ofVideos = (videos: Suggestions['videos'] = []): Option[] =>
  videos.map((video) => ({
    key: `video-${String(video.video_id)}`,
    parts: highlightParts(video._formatted.title),
    href: paths.video(video),
    query: null,
    total: null,
    thumb: video.thumb,
    lang: video.title_lang,
  }));

/** Returns suggestions for a typed text by type, then the best videos. Empty types are left out. */
export const suggestionGroups = ({ suggestions, videos }: Suggestions): Group[] => {
  const groups: Group[] = (['query', 'category', 'model'] as const).map((name) => ({
    name,
    options: suggestions.filter(({ type }) => type === name).map(option),
  }));
  groups.push({ name: 'video', options: ofVideos(videos) });
  return groups.filter(({ options }) => options.length > 0);
};

/** Returns what is shown before typing: the visitor's recent searches, then popular ones. */
export function startGroups(recent: string[], hot: Suggestion[]): Group[] {
  const own = recent.map((text) => ({
    key: `recent-${text}`,
    parts: plain(text),
    href: paths.search(text),
    query: text,
    total: null,
    thumb: null,
  }));
  const groups: Group[] = [
    { name: 'recent', options: own },
    { name: 'hot', options: hot.map(option).filter(({ query }) => !recent.includes(query ?? '')) },
  ];
  return groups.filter(({ options }) => options.length > 0);
}
