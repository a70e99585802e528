/** The watch history, which looks the same for guests and members. */
import { ConfirmButton } from '@/shared/actions/confirm-button';
import { MemberIcon } from '@/ui/member-icons';
import { RemoveButton, VideoList } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';
import { clock } from '@/shared/actions/share-links';
import type { OwnVideo } from '@/shared/queries/own-lists';
import { useT } from '@/i18n';
import { isUnfinished } from './entries';
import { Button } from '@/ui/button';
import { Panel } from '@/ui/problem';

interface ControlsProps {
  paused: boolean;
  empty: boolean;
  note?: string;
  onPause: (paused: boolean) => void;
  onClear: () => void;
}

export function HistoryControls({ paused, empty, note, onPause, onClear }: ControlsProps) {
  const say = useMemberText();
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-muted">
        {paused ? say('paused') : note}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="plain" onClick={() => onPause(!paused)}>
          <MemberIcon name={paused ? 'play' : 'pause'} />
          {say(paused ? 'resume' : 'pause')}
        </Button>
        {!empty && (
          <ConfirmButton label={say('clear')} question={say('sureClear')} onConfirm={onClear} />
        )}
      </div>
    </div>
  );
}

interface ListProps {
  videos: OwnVideo[];
  onRemove: (id: number) => void;
}

export function HistoryList({ videos, onRemove }: ListProps) {
  const t = useT();
  const say = useMemberText();
  if (videos.length === 0) return <Panel title={say('emptyHistory')} />;
  return (
    <section aria-busy="false">
      <h2 className="sr-only">{t('filter.results')}</h2>
      <VideoList
        videos={videos}
        below={({ stopped_at = 0, ...video }) => (
          <>
            {isUnfinished({ video, stopped_at }) && (
              <span className="px-2 text-xs text-muted">
                {say('stoppedAt', { time: clock(stopped_at) })}
              </span>
            )}
            <RemoveButton title={video.title} onRemove={() => onRemove(video.video_id)} />
          </>
        )}
      />
    </section>
  );
}
