/** Albums, playlists and members. They share one chunk, which loads when one of their addresses is opened. */
import { lazy } from 'react';
import { AlbumScreen } from '@/pages/album/album-screen';
import { AlbumsScreen, PlaylistsScreen } from '@/pages/collections/collections-screen';
import { MemberScreen } from '@/pages/member/member-screen';
import { MembersScreen } from '@/pages/community/members-screen';
import { PlaylistScreen } from '@/pages/playlist/playlist-screen';
import { tabOf } from '@/shared/address/community-lists';
import { readFilters } from '@/shared/address/member-filters';
import type { CommunityMatch } from '@/shared/address/route';

const MutedScreen = lazy(() => import('@/pages/muted/muted-screen'));
const HistoryScreen = lazy(() => import('@/pages/history/history-screen'));
const SavedScreen = lazy(() => import('@/pages/saved/saved-screen'));

export default function CommunityScreen({
  shown,
  search,
}: {
  shown: CommunityMatch;
  search: string;
}) {
  const number = 'page' in shown.places ? Number(shown.places.page) : 1;
  switch (shown.screen) {
    case 'albums':
      return <AlbumsScreen sort={shown.places.album_sort} number={number} />;
    case 'album':
      return <AlbumScreen id={Number(shown.places.id)} />;
    case 'playlists':
      return <PlaylistsScreen sort={shown.places.playlist_sort} number={number} />;
    case 'playlist':
      return <PlaylistScreen id={Number(shown.places.id)} number={number} />;
    case 'members': {
      const sort = shown.places.member_sort;
      return <MembersScreen sort={sort} number={number} filters={readFilters(search)} />;
    }
    case 'member':
      return <MemberScreen id={Number(shown.places.id)} tab={tabOf(shown)} number={number} />;
    case 'history':
      return <HistoryScreen number={number} />;
    case 'saved-searches':
      return <SavedScreen />;
    case 'muted':
      return <MutedScreen />;
  }
}
