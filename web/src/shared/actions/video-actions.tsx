/** The row below the player. Its height is the same before, while and after the row loads. */
import { type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Video } from '@/api/types';
import { useOpen } from '@/lib/use-open';
import { useMe } from '@/shared/account/use-me';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { DownloadToggle } from '@/shared/download/download-toggle';
import { button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { AddToDialog } from './dialogs';
import { MemberIcon } from '@/ui/member-icons';
import { useMemberState } from './member-state';
import { useActionText } from '@/i18n/actions';
import { ActionRow, ReportToggle, Toggle } from './toggle';
import { useAct } from './use-act';
import { useViewBeacon } from './use-view-beacon';
import { toggled, type VideoAct } from './video-acts';
import { VoteButtons } from './vote';

interface Props {
  video: Video;
  /** What the screen adds to the row. */
  children?: ReactNode;
}

/** Only the uploader may vote on a private video, save it or add it to playlists (`docs/PERMISSIONS.md`). */
export default function VideoActions({ video, children }: Props) {
  const id = video.video_id;
  const say = useActionText();
  const me = useMe();
  const state = useMemberState('video', id);
  const act = useAct('video', id);
  const requireLogin = useRequireLogin();
  const adding = useOpen();
  useViewBeacon('video', id);
  const toggle = (name: VideoAct) => () => void act(toggled(name, id, state, say));
  const takeDown = me?.is_moderator && (
    <Link href={`/moderate/?video_id=${String(id)}`} className={`${button.plain} shrink-0`}>
      {say('takeDown')}
    </Link>
  );
  if (video.is_private && me?.user_id !== video.user_id) {
    return (
      <ActionRow>
        <PrivateMark />
        <DownloadToggle id={id} />
        {children}
        {takeDown}
      </ActionRow>
    );
  }
  return (
    <ActionRow long>
      {video.is_private && <PrivateMark />}
      <VoteButtons section="video" id={id} votes={video.statistics} />
      <Toggle
        on={state?.favourite}
        icon={<MemberIcon name="heart" />}
        word={say('favourite')}
        onClick={toggle('favourite')}
      />
      <Toggle
        on={state?.watch_later}
        icon={<Icon name="clock" size={18} />}
        word={say('later')}
        onClick={toggle('watch_later')}
      />
      <Toggle
        lit={(state?.playlists.length ?? 0) > 0}
        opens="dialog"
        icon={<MemberIcon name="add" />}
        name={say('addTo')}
        word={say('playlist')}
        onClick={() => void requireLogin(adding.open)}
      />
      <DownloadToggle id={id} />
      {children}
      <ReportToggle about={{ section: 'video', id, title: video.title }} />
      {takeDown}
      {adding.isOpen && <AddToDialog videoId={id} onClose={adding.close} />}
    </ActionRow>
  );
}

function PrivateMark() {
  const say = useActionText();
  return (
    <span className="inline-flex shrink-0 items-center gap-2 pe-2 text-sm font-semibold text-muted">
      <Icon name="lock" size={18} />
      {say('privateVideo')}
    </span>
  );
}
