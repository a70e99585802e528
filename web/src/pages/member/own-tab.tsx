/** A tab in the member's own area, which loads only for its owner. */
import type { Me } from '@/shared/account/use-me';
import Comments from '@/shared/comments/comments';
import type { Tab } from '@/shared/address/community-lists';
import { MemberHistory } from '@/shared/history/member-history';
import { OwnNotifications } from './own-notifications';
import { OwnPeople } from './own-people';
import { OwnPlaylists } from './own-playlists';
import { OwnSubscriptions } from './own-subscriptions';
import { OwnUploads } from './own-uploads';
import { OwnVideos } from './own-videos';
import { deferred } from '@/lib/deferred';
import { OwnAlbums } from '@/shared/albums/own-albums';
import type { Place } from '@/shared/lists/list';

const Messages = deferred(() => import('./messages/messages'));
const OwnInfo = deferred(() => import('./own-info'));

interface Props extends Place {
  me: Me;
  tab: Tab;
}

export default function OwnTab({ me, tab, ...place }: Props) {
  switch (tab) {
    case 'uploaded_videos':
      return <OwnUploads statusId={me.status_id} {...place} />;
    case 'favourite_videos':
    case 'watch_later_videos':
      return <OwnVideos key={tab} list={tab} {...place} />;
    case 'history':
      return <MemberHistory {...place} />;
    case 'albums':
      return <OwnAlbums statusId={me.status_id} {...place} />;
    case 'playlists':
      return <OwnPlaylists {...place} />;
    case 'subscriptions':
      return <OwnSubscriptions />;
    case 'friends':
      return <OwnPeople id={me.user_id} {...place} />;
    case 'wall':
      return (
        <Comments
          subject={{ section: 'wall', id: me.user_id, ownerId: me.user_id }}
          heading={false}
          {...place}
        />
      );
    case 'messages':
      return <Messages />;
    case 'notifications':
      return <OwnNotifications me={me} {...place} />;
    case 'info':
      return <OwnInfo />;
  }
}
