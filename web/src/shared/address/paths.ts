/** All URLs that the app links to. Those of listings with filters come from `formatListing`. */
import type { ModelSort, VideoSort } from '@/search/listing';
import type { Tab } from './community-lists';

const seg = encodeURIComponent;

export const paths = {
  home: '/',
  videos: (sort: VideoSort = 'latest-updates', query = '') => `/videos/${sort}/1/${query}`,
  video: (video: { video_id: number; dir: string }) =>
    `/videos/${String(video.video_id)}/${seg(video.dir)}/`,
  /** A video on one page of a playlist. The video is autoplayed. */
  playlistVideo: (
    video: { video_id: number; dir: string },
    { id, page }: { id: number; page: number },
  ) =>
    `${paths.video(video)}?playlist=${String(id)}${page > 1 ? `&pl_page=${String(page)}` : ''}&autoplay=1`,
  /** A video in a list. If the list is a playlist's, the video is played in the playlist. A search may have found one of its chapters. */
  listed: (video: {
    video_id: number;
    dir: string;
    playlist_id?: number;
    page?: number;
    chapter?: { start: number };
  }) =>
    video.playlist_id
      ? paths.playlistVideo(video, { id: video.playlist_id, page: video.page ?? 1 })
      : `${paths.video(video)}${video.chapter ? `?start_time=${String(video.chapter.start)}` : ''}`,
  embed: (id: number) => `/embed/${String(id)}/`,
  categories: '/categories/',
  category: (dir: string) => `/categories/${seg(dir)}/latest-updates/1/`,
  topCountry: (country?: string) => `/top-country/1/${country ? `?country=${country}` : ''}`,
  models: (sort: ModelSort = 'most-popular') => `/models/${sort}/1/`,
  model: (dir: string) => `/model/${seg(dir)}/`,
  modelInfo: (dir: string) => `/model/${seg(dir)}/info/`,
  search: (text: string) => `/search/1/?${new URLSearchParams({ s: text }).toString()}`,
  album: (album: { album_id: number; dir: string }) =>
    `/album/${String(album.album_id)}/${seg(album.dir)}/`,
  albums: '/albums/latest-updates/1/',
  playlist: (id: number, page = 1) => `/playlist/${String(id)}/${String(page)}/`,
  playlists: '/playlists/most-popular/1/',
  community: '/community/recent/1/',
  member: (id: number) => `/members/${String(id)}/`,
  /** A tab on a member's page. The first tab shows the videos. */
  memberTab: (id: number, tab: Tab, page = 1): string => {
    if (tab === 'uploaded_videos' && page === 1) return paths.member(id);
    const single = tab === 'info' || tab === 'subscriptions' || tab === 'messages';
    return `${paths.member(id)}${tab}/${single ? '' : `${String(page)}/`}`;
  },
  messagesWith: (me: number, other: number) =>
    `${paths.memberTab(me, 'messages')}?with=${String(other)}`,
  saved: '/saved-searches/',
  notFound: '/404/',
} as const;
