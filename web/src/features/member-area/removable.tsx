/** Videos of an own list, each with what its owner may do below it. */
import type { ReactNode } from 'react';
import type { VideoCard as Card } from '@/api/types';
import { ActionIcon } from '@/features/actions/icons';
import { small } from '@/features/actions/confirm-button';
import { VideoCard } from '@/features/cards/video-card';
import { cn } from '@/lib/cn';
import { useAreaSay } from './texts';

/** The first row's posters must not wait. */
const FIRST_ROW = 5;

export function VideoList<Video extends Card>({
  videos,
  below,
}: {
  videos: Video[];
  below: (video: Video) => ReactNode;
}) {
  return (
    <ul className="video-grid">
      {videos.map((video, index) => (
        <li key={video.video_id} className="flex flex-col">
          <VideoCard video={video} eager={index < FIRST_ROW} />
          <div className="-ms-2 flex min-h-8 flex-wrap items-center gap-x-1">{below(video)}</div>
        </li>
      ))}
    </ul>
  );
}

export function RemoveButton({ title, onRemove }: { title: string; onRemove: () => void }) {
  const say = useAreaSay();
  return (
    <button
      type="button"
      aria-label={say('removeNamed', { title })}
      onClick={onRemove}
      className={cn(small, 'text-muted hover:bg-raised hover:text-ink')}
    >
      <ActionIcon name="bin" size={14} />
      {say('remove')}
    </button>
  );
}
