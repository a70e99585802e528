import type { VideoCard as Card } from '@/api/types';
import { VideoCard } from './video-card';

/** Number of cards in the first row, whose posters load eagerly. */
export const FIRST_ROW = 5;
/** Fewer large cards fit into a row. */
const FIRST_LARGE = 3;

interface Props {
  videos: Card[];
  eager?: boolean;
  /** The displayed width of cards that are larger than in a list. */
  sizes?: string | undefined;
  /** Videos that were posted later than this are marked as new. */
  since?: string | null;
  /** Called with the opened card and its position, from 0. */
  onOpen?: ((video: Card, index: number) => void) | undefined;
}

export function VideoGrid({ videos, eager = false, sizes, since, onOpen }: Props) {
  return (
    <ul className="video-grid videos">
      {videos.map((video, index) => (
        <li key={video.video_id}>
          <VideoCard
            video={video}
            eager={eager && index < (sizes ? FIRST_LARGE : FIRST_ROW)}
            sizes={sizes}
            isNew={!!since && Date.parse(video.post_date) > Date.parse(since)}
            index={index}
            onOpen={onOpen}
          />
        </li>
      ))}
    </ul>
  );
}

/** Placeholders of the same size as real cards, so that nothing shifts when those load. */
export function VideoGridSkeleton({ count }: { count: number }) {
  return (
    <div className="video-grid skeletons" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <CardSkeleton key={index} />
      ))}
    </div>
  );
}

function CardSkeleton() {
  return (
    <div className="flex flex-col gap-2.5">
      <div className="skeleton aspect-video rounded-card" />
      <div className="flex flex-col gap-1 text-[13px] leading-[1.3] sm:text-sm sm:leading-[1.3]">
        <div className="flex h-[2.6em] flex-col justify-evenly">
          <span className="skeleton h-3 w-11/12 rounded" />
          <span className="skeleton h-3 w-3/5 rounded" />
        </div>
        <div className="flex h-5 items-center">
          <span className="skeleton h-3 w-2/5 rounded" />
        </div>
        <div className="flex h-5 items-center">
          <span className="skeleton h-3 w-3/5 rounded" />
        </div>
      </div>
    </div>
  );
}
