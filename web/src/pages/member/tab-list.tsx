/** What any viewer may see of a member, list by list. */
import { lazy, Suspense, useState } from 'react';
import { VideoGrid } from '@/shared/cards/video-grid';
import { useVisitor } from '@/lib/visitor';
import { List } from '@/shared/lists/list';
import {
  friendsQuery,
  memberAlbumsQuery,
  memberPlaylistsQuery,
  memberVideosQuery,
  subscriptionsQuery,
} from '@/shared/queries/community';
import type { Tab } from '@/shared/address/community-lists';
import { useCommunityText } from '@/i18n/community';
import { albumTile, memberTile, playlistTile, subscriptionTile, Tiles } from '@/shared/cards/tiles';

const Comments = lazy(() => import('@/shared/comments/comments'));

interface Props {
  id: number;
  tab: Tab;
  page: number;
  href: (page: number) => string;
}

export function TabList({ id, tab, ...place }: Props) {
  const say = useCommunityText();
  const visitor = useVisitor();
  const { lang } = visitor;
  const { page } = place;
  const some = <Item, Shown>(items: Item[], show: (items: Item[]) => Shown) =>
    items.length > 0 ? show(items) : null;
  switch (tab) {
    case 'albums':
      return (
        <List query={memberAlbumsQuery(id, page, visitor)} none={say('noAlbums')} {...place}>
          {({ albums }) =>
            some(albums, (list) => <Tiles tiles={list.map((album) => albumTile(album, say))} />)
          }
        </List>
      );
    case 'playlists':
      return (
        <List query={memberPlaylistsQuery(id, page, visitor)} none={say('noPlaylists')} {...place}>
          {({ playlists }) =>
            some(playlists, (list) => (
              <Tiles wide tiles={list.map((one) => playlistTile(one, say))} />
            ))
          }
        </List>
      );
    case 'wall':
      return (
        <Suspense fallback={<div className="min-h-[80dvh]" aria-busy="true" />}>
          <Comments subject={{ section: 'wall', id, ownerId: id }} heading={false} {...place} />
        </Suspense>
      );
    case 'friends':
      return (
        <List query={friendsQuery(id, page)} none={say('noMembers')} {...place}>
          {({ friends }) =>
            some(friends, (list) => <Tiles tiles={list.map((one) => memberTile(one, lang))} />)
          }
        </List>
      );
    case 'subscriptions':
      return <Subscriptions key={id} id={id} />;
    default:
      return (
        <List query={memberVideosQuery(id, page, visitor)} {...place}>
          {({ videos }) => some(videos, (list) => <VideoGrid videos={list} eager />)}
        </List>
      );
  }
}

/** Their address has no page. */
function Subscriptions({ id }: { id: number }) {
  const say = useCommunityText();
  const [page, setPage] = useState(1);
  return (
    <List
      query={subscriptionsQuery(id, page)}
      none={say('noSubscriptions')}
      page={page}
      onPick={setPage}
    >
      {({ subscriptions }) =>
        subscriptions.length > 0 ? <Tiles tiles={subscriptions.map(subscriptionTile)} /> : null
      }
    </List>
  );
}
