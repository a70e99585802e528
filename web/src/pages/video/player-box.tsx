import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type RefObject } from 'react';
import { isNotFound } from '@/lib/http';
import { LoadError } from '@/ui/problem';
import { videoFileQuery } from './queries';
import { VideoProblem } from './video-problem';

const Player = lazy(() => import('./player'));

interface Props {
  id: number;
  title: string;
  poster: string;
  startTime: number;
  video: RefObject<HTMLVideoElement | null>;
}

/** The player of the site that a video was taken over from: it may run its own scripts, and lead nowhere. */
export function EmbedBox({ title, src }: { title: string; src: string }) {
  return (
    <iframe
      title={title}
      src={src}
      sandbox="allow-scripts allow-same-origin"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="no-referrer"
      className="size-full border-0"
    />
  );
}

/** The player, once its links are signed; the poster holds its place until then. */
export function PlayerBox({ id, title, poster, startTime, video }: Props) {
  const { data, error, refetch } = useQuery(videoFileQuery(id));
  const still = <img src={poster} alt="" className="size-full object-contain" />;
  if (isNotFound(error)) return <VideoProblem status="not-found" />;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return still;
  if (data.video_url.length === 0) return <VideoProblem status="not-found" />;
  return (
    <Suspense fallback={still}>
      <Player title={title} poster={poster} file={data} startTime={startTime} video={video} />
    </Suspense>
  );
}
