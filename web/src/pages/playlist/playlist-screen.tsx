/** A playlist with its videos. The owner also edits it here. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { useMe } from '@/shared/account/use-me';
import { VideoGrid } from '@/shared/cards/video-grid';
import { deferred } from '@/lib/deferred';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Failure, List } from '@/shared/lists/list';
import { playlistQuery, playlistVideosQuery } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { button } from '@/ui/button';

const ObjectActions = deferred(
  () => import('@/shared/actions/object-actions'),
  <div className="h-12" />,
);
const Comments = deferred(() => import('@/shared/comments/comments'));
const PlaylistOwner = deferred(
  () => import('./playlist-owner'),
  <div className="min-h-[80dvh]" aria-busy="true" />,
);

export function PlaylistScreen({ id, number }: { id: number; number: number }) {
  const say = useCommunityText();
  const visitor = useVisitor();
  const me = useMe();
  const { data, error, refetch } = useQuery(playlistQuery(id));
  const playlist = data?.playlist;
  usePageTitle(playlist?.title, number);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  const videos = playlistVideosQuery(id, number, visitor);
  const place = {
    page: number,
    href: (page: number) => paths.playlist(id, page),
  };
  const own = me != null && playlist?.user_id === me.user_id;
  return (
    <div className="page flex flex-col gap-5 pt-6 lg:pt-8">
      {playlist ? (
        <>
          <h1 className={heading}>{playlist.title}</h1>
          <p className="text-sm text-muted">
            {say('videos', { count: playlist.total_videos })}
            {' · '}
            <Link
              href={paths.member(playlist.user_id)}
              className="underline-offset-4 hover:text-accent hover:underline"
            >
              {say('by', { name: playlist.username })}
            </Link>
          </p>
          <p className="max-w-prose text-sm whitespace-pre-line">{playlist.description}</p>
          <PlayAll id={id} />
          <ObjectActions
            section="playlist"
            id={id}
            title={playlist.title}
            votes={playlist.statistics}
          />
        </>
      ) : (
        <div className="skeleton h-9 w-72 max-w-full rounded-control" />
      )}
      {own ? (
        <PlaylistOwner playlist={playlist} videos={videos} {...place} />
      ) : (
        <List of="videos" query={videos} {...place}>
          {(cards) => <VideoGrid videos={cards} eager />}
        </List>
      )}
      {playlist && (
        <div className="min-h-60 border-t border-line pt-6">
          <Comments subject={{ section: 'playlist', id, ownerId: playlist.user_id }} />
        </div>
      )}
    </div>
  );
}

/** Plays all videos, starting with the first. */
function PlayAll({ id }: { id: number }) {
  const say = useCommunityText();
  const { data } = useQuery(playlistVideosQuery(id, 1, useVisitor()));
  const [first] = data?.videos ?? [];
  if (!first) return <div className="h-11" />;
  return (
    <Link href={paths.listed(first)} className={`${button.primary} min-h-11 self-start`}>
      {say('playAll')}
    </Link>
  );
}
