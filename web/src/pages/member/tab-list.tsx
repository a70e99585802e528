/** A member's public lists. */
import { useState } from 'react';
import { VideoGrid } from '@/shared/cards/video-grid';
import { deferred } from '@/lib/deferred';
import { useVisitor } from '@/lib/visitor';
import { useUnmuted } from '@/search/unmuted';
import { List, type Place } from '@/shared/lists/list';
import {
  friendsQuery,
  memberAlbumsQuery,
  memberPlaylistsQuery,
  memberVideosQuery,
  subscriptionsQuery,
} from '@/shared/queries/community';
import type { Tab } from '@/shared/address/community-lists';
import { useCommunityText } from '@/i18n/community';
import { AlbumList, FriendList, PlaylistList, subscriptionTile, Tiles } from '@/shared/cards/tiles';

const Comments = deferred(
  () => import('@/shared/comments/comments'),
  <div className="min-h-[80dvh]" aria-busy="true" />,
);

export function TabList({ id, tab, ...place }: { id: number; tab: Tab } & Place) {
  const say = useCommunityText();
  const visitor = useVisitor();
  const { page } = place;
  const videos = useUnmuted(memberVideosQuery(id, page, visitor));
  switch (tab) {
    case 'albums':
      return <AlbumList query={memberAlbumsQuery(id, page, visitor)} {...place} />;
    case 'playlists':
      return <PlaylistList query={memberPlaylistsQuery(id, page, visitor)} {...place} />;
    case 'wall':
      return <Comments subject={{ section: 'wall', id, ownerId: id }} heading={false} {...place} />;
    case 'friends':
      return (
        <FriendList member={id} query={friendsQuery(id, page)} none={say('noMembers')} {...place} />
      );
    case 'subscriptions':
      return <Subscriptions key={id} id={id} />;
    default:
      return (
        <List of="videos" query={videos} {...place}>
          {(shown) => <VideoGrid videos={shown} eager />}
        </List>
      );
  }
}

/** The address of this list has no page number. */
function Subscriptions({ id }: { id: number }) {
  const say = useCommunityText();
  const { lang } = useVisitor();
  const [page, setPage] = useState(1);
  return (
    <List
      of="subscriptions"
      query={subscriptionsQuery(id, page, lang)}
      none={say('noSubscriptions')}
      page={page}
      onPick={setPage}
    >
      {(subscriptions) => <Tiles tiles={subscriptions.map(subscriptionTile)} />}
    </List>
  );
}
