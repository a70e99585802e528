/** The videos in an own list, each with the owner's actions below it. */
import type { ReactNode } from 'react';
import type { VideoCard as Card } from '@/api/types';
import { MemberIcon } from '@/ui/member-icons';
import { SmallButton } from '@/shared/actions/confirm-button';
import { ModelGridSkeleton } from '@/shared/cards/model-card';
import { FIRST_ROW, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { VideoCard } from '@/shared/cards/video-card';
import { useT } from '@/i18n';
import { Icon } from '@/ui/icons';
import { useMemberText } from '@/i18n/member';

export const waitingVideos = <VideoGridSkeleton count={12} />;
export const waitingTiles = <ModelGridSkeleton count={8} />;

interface ListProps<Video> {
  videos: Video[];
  below: (video: Video, index: number) => ReactNode;
}

export function VideoList<Video extends Card>({ videos, below }: ListProps<Video>) {
  return (
    <ul className="video-grid">
      {videos.map((video, index) => (
        <li key={video.video_id} className="flex flex-col">
          {/* Deleted or unfinished videos stay listed, so that they can be removed. */}
          {video.title ? <VideoCard video={video} eager={index < FIRST_ROW} /> : <Gone />}
          <div className="-ms-2 flex min-h-8 flex-wrap items-center gap-x-1">
            {below(video, index)}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Gone() {
  const t = useT();
  return (
    <div className="flex flex-1 flex-col gap-2.5">
      <div className="grid aspect-video place-items-center rounded-card bg-raised text-muted">
        <Icon name="lock" size={28} />
      </div>
      <p className="min-h-[5rem] text-sm text-muted">{t('video.gone')}</p>
    </div>
  );
}

export function RemoveButton({ title, onRemove }: { title: string; onRemove: () => void }) {
  const say = useMemberText();
  return (
    <SmallButton aria-label={say('removeNamed', { title })} onClick={onRemove}>
      <MemberIcon name="bin" size={14} />
      {say('remove')}
    </SmallButton>
  );
}
