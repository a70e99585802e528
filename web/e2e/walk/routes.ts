/** Addresses for every screen. If a screen has no row here, the code does not compile. */
import type { addresses } from '../../generated/addresses';

type Target = (typeof addresses)[number][1];
type Screen = Exclude<Target, `/${string}`>;

/** Addresses visited as a guest. MODEL stands for a model's name. */
export const ROUTES: Record<Screen, string[]> = {
  home: ['/'],
  videos: ['/videos/latest-updates/1/?duration=long&type=hd', '/videos/top-rated/2/'],
  video: ['/videos/12/'],
  history: ['/videos/history/1/'],
  muted: ['/muted/'],
  'saved-searches': ['/saved-searches/'],
  categories: ['/categories/'],
  category: ['/categories/travel/latest-updates/1/'],
  search: ['/search/1/?s=light', '/search/1/?s=zzqxwvkjq'],
  country: ['/top-country/1/'],
  models: ['/models/most-popular/1/?tattoo=no'],
  model: ['/model/MODEL/videos/1/'],
  'model-info': ['/model/MODEL/info/'],
  'model-wall': ['/model/MODEL/wall/'],
  albums: ['/albums/latest-updates/1/'],
  album: ['/album/1/'],
  playlists: ['/playlists/most-popular/1/'],
  playlist: ['/playlist/1/1/'],
  members: ['/community/recent/1/', '/community/recent/1/?avatar=yes'],
  member: ['', 'albums/1/', 'playlists/1/', 'friends/1/', 'subscriptions/', 'wall/1/', 'info/'].map(
    (tab) => `/members/2/${tab}`,
  ),
  upload: ['/upload-video/'],
  'upload-album': ['/upload-album/'],
  moderate: ['/moderate/'],
  download: ['/download/'],
  profile: ['/edit/'],
  signin: ['/signin/?confirmed=1'],
  signup: ['/signup/'],
  confirm: ['/confirm/?token=x'],
  'restore-password': ['/restore-password/', '/restore-password/?token=x'],
  unsubscribe: ['/unsubscribe/?token=x'],
  sitemap: ['/sitemap-page/'],
  information: ['support', 'terms', 'privacy', 'cookies_policy', 'dmca', '2257'].map(
    (topic) => `/information/${topic}/`,
  ),
};

/** The member's own pages. MEMBER stands for the id. */
export const OWN = [
  '/videos/12/',
  '/videos/history/1/',
  '/muted/',
  '/saved-searches/',
  '/upload-video/',
  '/upload-album/',
  ...[
    '',
    'uploaded_videos/1/',
    'favourite_videos/1/',
    'watch_later_videos/1/',
    'history/1/',
    'playlists/1/',
    'albums/1/',
    'subscriptions/',
    'friends/1/',
    'wall/1/',
    'notifications/1/',
    'messages/',
    'info/',
  ].map((tab) => `/members/MEMBER/${tab}`),
];
