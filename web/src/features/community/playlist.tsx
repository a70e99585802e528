/** One playlist with its videos. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { VideoGrid } from '@/features/cards/video-grid';
import { useVisitor } from '@/lib/visitor';
import { Failure, heading, List, usePageTitle } from './parts';
import { playlistQuery, playlistVideosQuery } from './queries';
import { useSay } from './texts';
import { memberPath } from './tiles';

export function PlaylistScreen({ id, number }: { id: number; number: number }) {
  const say = useSay();
  const visitor = useVisitor();
  const { data, error, refetch } = useQuery(playlistQuery(id));
  const playlist = data?.playlist;
  usePageTitle(playlist?.title, number);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="page flex flex-col gap-5 pt-6 lg:pt-8">
      {playlist ? (
        <>
          <h1 className={heading}>{playlist.title}</h1>
          <p className="text-sm text-muted">
            {say('videos', { count: playlist.total_videos })}
            {' · '}
            <Link
              href={memberPath(playlist.user_id)}
              className="underline-offset-4 hover:text-accent hover:underline"
            >
              {say('by', { name: playlist.username })}
            </Link>
          </p>
          <p className="max-w-prose text-sm whitespace-pre-line">{playlist.description}</p>
        </>
      ) : (
        <div className="skeleton h-9 w-72 max-w-full rounded-control" />
      )}
      <List
        query={playlistVideosQuery(id, number, visitor)}
        none={null}
        page={number}
        href={(page) => `/playlist/${String(id)}/${String(page)}/`}
      >
        {({ videos }) => (videos.length > 0 ? <VideoGrid videos={videos} eager /> : null)}
      </List>
    </div>
  );
}
