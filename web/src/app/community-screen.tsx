/** Albums, playlists and members: one piece of the build, loaded when one of their addresses is opened. */
import { lazy } from 'react';
import { NotFound } from '@/shared/layout/not-found';
import { Redirect } from '@/shared/layout/redirect';
import { AlbumScreen } from '@/pages/album/album-screen';
import { AlbumsScreen, PlaylistsScreen } from '@/pages/collections/collections-screen';
import { MemberScreen } from '@/pages/member/member-screen';
import { MembersScreen } from '@/pages/community/members-screen';
import { PlaylistScreen } from '@/pages/playlist/playlist-screen';
import { resolveCommunity } from '@/shared/address/community-route';

const HistoryScreen = lazy(() => import('@/pages/history/history-screen'));

export default function CommunityScreen({
  pathname,
  search,
}: {
  pathname: string;
  search: string;
}) {
  const route = resolveCommunity(pathname, search);
  switch (route.page) {
    case 'redirect':
      return <Redirect to={route.to} />;
    case 'albums':
      return <AlbumsScreen sort={route.sort} number={route.number} />;
    case 'album':
      return <AlbumScreen id={route.id} />;
    case 'playlists':
      return <PlaylistsScreen sort={route.sort} number={route.number} />;
    case 'playlist':
      return <PlaylistScreen id={route.id} number={route.number} />;
    case 'members':
      return <MembersScreen {...route} />;
    case 'member':
      return <MemberScreen id={route.id} tab={route.tab} number={route.number} />;
    case 'history':
      return <HistoryScreen number={route.number} />;
    case 'not-found':
      return <NotFound />;
  }
}
