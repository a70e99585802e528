/** The main screens that have approved screenshots and outlines. */
export interface Screen {
  name: string;
  path: string;
  /** Whether the demo's member views it. */
  own?: true;
}

/** In members' addresses, the name stands for the id. */
export const SCREENS: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'videos', path: '/videos/latest-updates/1/' },
  { name: 'search', path: '/search/1/?s=night' },
  { name: 'video', path: '/videos/12/' },
  { name: 'categories', path: '/categories/' },
  { name: 'models', path: '/models/most-popular/1/' },
  { name: 'model', path: '/model/MODEL/videos/1/' },
  { name: 'albums', path: '/albums/latest-updates/1/' },
  { name: 'album', path: '/album/1/' },
  { name: 'playlists', path: '/playlists/most-popular/1/' },
  { name: 'playlist', path: '/playlist/1/1/' },
  { name: 'members', path: '/community/recent/1/' },
  { name: 'own-area', path: '/members/MEMBER/playlists/1/', own: true },
  { name: 'upload', path: '/upload-video/', own: true },
];
