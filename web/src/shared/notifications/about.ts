/** A notification's text and link target. This module is pure. */
import type { Schema } from '@/api/call';
import type { NotificationText } from '@/i18n/notifications';
import { paths } from '@/shared/address/paths';
import { COMMENTS } from '@/shared/comments/subject';

export type Notification = Schema<'Notification'>;
export type Kind = Notification['kind'];

/** The text for a single notification, and the text for several unread ones that were merged. */
const WORDS: Record<Kind, [NotificationText, NotificationText]> = {
  reply: ['reply', 'replyMany'],
  comment: ['comment', 'commentMany'],
  friend_request: ['friendRequest', 'friendRequest'],
  friend_accepted: ['friendAccepted', 'friendAccepted'],
  message: ['message', 'messageMany'],
  upload_published: ['published', 'published'],
  upload_refused: ['refused', 'refused'],
  upload_failed: ['failed', 'failed'],
  film_replaced: ['filmReplaced', 'filmReplaced'],
  film_refused: ['filmRefused', 'filmRefused'],
};

export function wordOf({ kind, section, times }: Notification): NotificationText {
  const [one, many] =
    kind === 'comment' && section === 'user' ? (['wall', 'wallMany'] as const) : WORDS[kind];
  return times > 1 ? many : one;
}

/** Returns the link target. `me` is the recipient. */
export function pathOf(notification: Notification, me: number): string {
  const path = pageOf(notification, me);
  return notification.kind === 'reply' || notification.kind === 'comment' ? path + COMMENTS : path;
}

function pageOf(notification: Notification, me: number): string {
  const { kind, section, object_id: id, title } = notification;
  if (kind === 'message') return paths.messagesWith(me, id);
  if (kind === 'friend_request') return paths.memberTab(me, 'friends');
  if (kind === 'friend_accepted') return paths.member(id);
  const dir = notification.dir ?? title;
  switch (section) {
    case 'video':
      // The reason is shown with the video's details.
      if (kind === 'film_refused') return `/edit/?video_id=${String(id)}`;
      // A refused upload has no page, so the link leads to the member's own list.
      return kind === 'upload_refused' ? paths.member(me) : paths.video({ video_id: id, dir });
    case 'album':
      return kind === 'upload_refused'
        ? paths.memberTab(me, 'albums')
        : paths.album({ album_id: id, dir });
    case 'model':
      return `${paths.model(dir)}wall/`;
    case 'playlist':
      return paths.playlist(id);
    case 'user':
      return paths.memberTab(id, 'wall');
    case 'upload':
      return '/upload-video/';
  }
}
