import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, type RefObject } from 'react';
import { ApiError, isNotFound } from '@/lib/http';
import { Boundary } from '@/ui/boundary';
import { LoadError } from '@/ui/problem';
import type { Chapter } from './chapter-track';
import { fetchVideoFile, videoFileQuery } from './queries';
import type { Place } from './use-playlist';
import { VideoProblem } from './video-problem';

const Player = lazy(() => import('./player'));

interface Props {
  id: number;
  title: string;
  poster: string;
  startTime: number;
  autoplay: boolean;
  chapters: readonly Chapter[];
  playlist: Place | null;
  video: RefObject<HTMLVideoElement | null>;
}

/** The player, which is shown once its signed links are loaded. Until then, the poster is shown. */
export function PlayerBox(props: Props) {
  const { id, startTime } = props;
  const { data, error, refetch } = useQuery(videoFileQuery(id));
  const renew = useCallback(() => fetchVideoFile(id), [id]);
  if (isNotFound(error)) return <VideoProblem status="not-found" />;
  if (error instanceof ApiError && error.status === 403) return <VideoProblem status="private" />;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.video_url.length === 0) return <VideoProblem status="not-found" />;
  return (
    <Boundary>
      <Suspense>
        <Player key={`${String(id)} ${String(startTime)}`} {...props} file={data} renew={renew} />
      </Suspense>
    </Boundary>
  );
}
