/** Publishes a comment optimistically. It appears on the first page at once, and is removed if the server refuses it. */
import { useQueryClient } from '@tanstack/react-query';
import { sendAct } from '@/api/act';
import type { Me } from '@/shared/account/use-me';
import { changeAtOnce } from '@/shared/actions/at-once';
import { addFields, commentsUrl, type Comment, type CommentsAnswer, type Subject } from './subject';

/** `onSent` leads to the page with the new comment once the server has accepted it. */
export function usePublish(subject: Subject, me: Me, onSent: () => void) {
  const client = useQueryClient();
  return async (msg: string) => {
    // This is a temporary id that the server never assigns.
    const given = { comment_id: -Date.now(), comment: msg, parent_id: null };
    const fresh = freshComment(subject, me, given);
    await changeAtOnce<CommentsAnswer>({
      client,
      queryKey: [commentsUrl(subject, 1, true)],
      change: (page) => ({
        ...page,
        comments: [fresh, ...page.comments],
        total_count: page.total_count + 1,
      }),
      send: () => sendAct(addFields(subject, msg)),
    });
    onSent();
  };
}

/** Returns a comment as it will look once it is published. */
export const freshComment = (
  subject: Subject,
  me: Me,
  fresh: Pick<Comment, 'comment_id' | 'comment' | 'parent_id'>,
): Comment => ({
  section: subject.section === 'wall' ? ('user' as const) : subject.section,
  object_id: subject.id,
  is_deleted: false,
  user_id: me.user_id,
  username: me.username,
  avatar: me.avatar,
  added_date: new Date().toISOString(),
  likes: 0,
  liked: false,
  replies: [],
  total_replies: 0,
  ...fresh,
});
