/** The member's own uploads. Some members can manage them. */
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { deleteLook, smallLook } from '@/shared/actions/confirm-button';
import { MemberIcon } from '@/ui/member-icons';
import { useOptimistic } from '@/shared/actions/use-optimistic';
import { deferred } from '@/lib/deferred';
import { cn } from '@/lib/cn';
import { fullDate } from '@/lib/format';
import { post } from '@/api/client';
import { MEMBER_STATUS, type MemberStatus } from '@/api/status';
import { useVisitor } from '@/lib/visitor';
import { Icon } from '@/ui/icons';
import { listQuery, listUrl, type ListAnswer, type OwnVideo } from '@/shared/queries/own-lists';
import { fullTime } from '@/shared/details/publish-time';
import { List, type Place } from '@/shared/lists/list';
import { VideoList, waitingVideos } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';
import { ACTS, stateOf, type UploadState } from './upload-state';

const UploadDialog = deferred(() => import('./upload-dialog'));

type Answer = ListAnswer<'uploaded_videos'>;

export function OwnUploads({ statusId, page, href }: { statusId: MemberStatus } & Place) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const [dialog, setDialog] = useState<{ video: OwnVideo; act: 'delete' | 'readd' } | null>(null);
  const url = listUrl('uploaded_videos', page, lang);
  const manages = statusId === MEMBER_STATUS.managesUploads;
  const toggle = (video: OwnVideo) => {
    const hide = !video.is_private;
    void atOnce<Answer>({
      url,
      change: (answer) => ({
        ...answer,
        videos: answer.videos.map((other) =>
          other.video_id === video.video_id ? { ...other, is_private: hide } : other,
        ),
      }),
      send: () => post('/api/video_edit.php', { act: ACTS.private, video_id: video.video_id }),
      done: say(hide ? 'didPrivate' : 'didPublic'),
    });
  };
  /** Cancels a scheduled restoration. */
  const keepDeleted = ({ video_id }: OwnVideo) =>
    void atOnce<Answer>({
      url,
      change: (answer) => ({
        ...answer,
        videos: answer.videos.map((other) =>
          other.video_id === video_id ? { ...other, readd_at: undefined } : other,
        ),
      }),
      send: () => post('/api/video_edit.php', { act: ACTS.delete, video_id }),
      done: say('didKeepDeleted'),
    });
  const button = (text: string, icon: ReactNode, onClick: () => void, look = smallLook) => (
    <button type="button" onClick={onClick} className={look}>
      {icon}
      {text}
    </button>
  );
  const acts = (video: OwnVideo, state: UploadState) => (
    <>
      {(state === 'isPublic' || state === 'isPrivate') &&
        button(
          say(video.is_private ? 'makePublic' : 'makePrivate'),
          <Icon name={video.is_private ? 'eye' : 'lock'} size={14} />,
          () => {
            toggle(video);
          },
        )}
      {/* A rejected video would be restored as rejected. */}
      {state !== 'rejected' &&
        button(say('readd'), <MemberIcon name="again" size={14} />, () => {
          setDialog({ video, act: 'readd' });
        })}
      {video.readd_at &&
        button(say('keepDeleted'), <MemberIcon name="block" size={14} />, () => {
          keepDeleted(video);
        })}
      {state !== 'deleted' &&
        button(
          say('deleteVideo'),
          <MemberIcon name="bin" size={14} />,
          () => {
            setDialog({ video, act: 'delete' });
          },
          deleteLook,
        )}
    </>
  );
  const below = (video: OwnVideo) => {
    const state = stateOf(video);
    const isGone = state === 'deleted' || state === 'rejected';
    return (
      <>
        <span className={cn('px-2 text-xs font-semibold', isGone ? 'text-danger' : 'text-muted')}>
          {state !== 'scheduled' && say(state)}
          {video.publish_at && (
            <>
              {state !== 'scheduled' && ' · '}
              <time dateTime={video.publish_at}>
                {say('scheduledFor', { date: fullTime(video.publish_at, lang) })}
              </time>
            </>
          )}
          {video.readd_at && (
            <>
              {' · '}
              <time dateTime={video.readd_at}>
                {say('backOn', { date: fullDate(video.readd_at, lang) })}
              </time>
            </>
          )}
        </span>
        {video.has_lost_audio && state !== 'deleted' && (
          <span className="px-2 text-xs text-muted">{say('silent')}</span>
        )}
        {state !== 'deleted' && (
          <Link
            href={`/edit/?video_id=${String(video.video_id)}`}
            aria-label={say('editNamed', { title: video.title })}
            className={smallLook}
          >
            <MemberIcon name="edit" size={14} />
            {say('edit')}
          </Link>
        )}
        {manages && acts(video, state)}
      </>
    );
  };
  return (
    <>
      <List
        of="videos"
        query={listQuery('uploaded_videos', page, lang)}
        none={say('noUploads')}
        skeleton={waitingVideos}
        page={page}
        href={href}
      >
        {(videos) => <VideoList videos={videos} below={below} />}
      </List>
      {dialog && (
        <UploadDialog
          {...dialog}
          listKey={url}
          onClose={() => {
            setDialog(null);
          }}
        />
      )}
    </>
  );
}
