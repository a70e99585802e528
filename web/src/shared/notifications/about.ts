/** What a notification says and where it leads. Pure. */
import type { Schema } from '@/api/call';
import type { NotificationText } from '@/i18n/notifications';
import { paths } from '@/shared/address/paths';
import { albumPath, memberPath } from '@/shared/cards/tiles';
import { COMMENTS } from '@/shared/comments/subject';

export type Notification = Schema<'Notification'>;
export type Kind = Notification['kind'];

/** What one says, and what several say that were not read between them. */
const WORDS: Record<Kind, [NotificationText, NotificationText]> = {
  reply: ['reply', 'replyMany'],
  comment: ['comment', 'commentMany'],
  friend_request: ['friendRequest', 'friendRequest'],
  friend_accepted: ['friendAccepted', 'friendAccepted'],
  message: ['message', 'messageMany'],
  upload_published: ['published', 'published'],
  upload_refused: ['refused', 'refused'],
  upload_failed: ['failed', 'failed'],
};

export function wordOf({ kind, section, times }: Notification): NotificationText {
  const [one, many] =
    kind === 'comment' && section === 'user' ? (['wall', 'wallMany'] as const) : WORDS[kind];
  return times > 1 ? many : one;
}

/** Where it leads; `me` is the member who is told. */
export function pathOf(notification: Notification, me: number): string {
  const path = pageOf(notification, me);
  return notification.kind === 'reply' || notification.kind === 'comment' ? path + COMMENTS : path;
}

function pageOf(notification: Notification, me: number): string {
  const { kind, section, object_id: id, title } = notification;
  const own = memberPath(me);
  if (kind === 'message') return `${own}messages/?with=${String(id)}`;
  if (kind === 'friend_request') return `${own}friends/1/`;
  if (kind === 'friend_accepted') return memberPath(id);
  const dir = notification.dir ?? title;
  switch (section) {
    case 'video':
      // What was refused has no page but the list of one's own.
      return kind === 'upload_refused' ? own : paths.video({ video_id: id, dir });
    case 'album':
      return kind === 'upload_refused' ? `${own}albums/1/` : albumPath({ album_id: id, dir });
    case 'model':
      return `${paths.model(dir)}wall/`;
    case 'playlist':
      return `/playlist/${String(id)}/1/`;
    case 'user':
      return `${memberPath(id)}wall/1/`;
    case 'upload':
      return '/upload-video/';
  }
}
