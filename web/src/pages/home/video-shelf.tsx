import type { ReactNode } from 'react';
import type { VideoCard as Card } from '@/api/types';
import { section } from '@/lib/title';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { Shelf, ShelfSpace } from './shelf';

interface Props {
  id: string;
  heading: string;
  /** What is shown next to the heading. */
  more?: ReactNode;
  /** Undefined while loading. */
  videos: Card[] | undefined;
  eager?: boolean;
}

/** Number of placeholders, which is enough for any window. */
const WAITING = 8;

/** A shelf with videos chosen for this viewer. */
export function VideoShelf({ id, heading, more, videos, eager = false }: Props) {
  return (
    <section
      aria-labelledby={id}
      className="pt-8 first-of-type:pt-5 lg:pt-10 lg:first-of-type:pt-6"
    >
      <div className="flex min-h-10 items-center justify-between gap-x-4 pb-3">
        <h2 id={id} className={`line-clamp-1 ${section}`}>
          {heading}
        </h2>
        {more}
      </div>
      {videos ? (
        <Shelf kind="videos" name={heading}>
          <VideoGrid videos={videos} eager={eager} />
        </Shelf>
      ) : (
        <ShelfSpace kind="videos">
          <VideoGridSkeleton count={WAITING} />
        </ShelfSpace>
      )}
    </section>
  );
}
