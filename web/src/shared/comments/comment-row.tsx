/** A comment or reply with its author, time, text and actions. */
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Link } from 'wouter';
import { sendAct } from '@/api/act';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { age, formatNumber, fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { paths } from '@/shared/address/paths';
import type { Me } from '@/shared/account/use-me';
import { ConfirmButton, SmallButton } from '@/shared/actions/confirm-button';
import { ReportDialog } from '@/shared/actions/dialogs';
import { useOptimistic } from '@/shared/actions/use-optimistic';
import { Avatar } from '@/shared/cards/avatar';
import { TimedText } from '@/shared/player/timed-text';
import { useOpen } from '@/lib/use-open';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import { withLike, withoutComment } from './change';
import {
  deleteFields,
  isOf,
  likeFields,
  restoreFields,
  type Comment,
  type CommentsAnswer,
  type Subject,
} from './subject';

export interface Place {
  subject: Subject;
  me: Me | null;
  /** The URL of the page that contains the comment. */
  listKey: string;
}

interface Props extends Place {
  comment: Comment;
  /** Opens the reply form. It is left out if replies aren't possible. */
  onReply?: (() => void) | undefined;
  replyRef?: RefObject<HTMLButtonElement | null>;
}

export function CommentRow({ comment, onReply, replyRef, ...place }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const { user_id, added_date } = comment;
  if (user_id === null || added_date === null) {
    return <p className="py-1 text-sm text-muted italic">{say('goneComment')}</p>;
  }
  return (
    <div className={cn('flex gap-3', comment.comment_id < 0 && 'opacity-60')}>
      <Avatar
        name={comment.username}
        picture={comment.avatar}
        {...(comment.parent_id !== null && { className: 'size-8 text-xs' })}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
          <Link href={paths.member(user_id)} className="font-semibold hover:text-accent">
            {comment.username}
          </Link>
          <time
            dateTime={added_date}
            title={fullDate(added_date, lang)}
            className="text-xs text-muted"
          >
            {age(added_date, lang)}
          </time>
        </p>
        <p className="pt-1 text-sm wrap-anywhere whitespace-pre-line">
          <TimedText text={comment.comment} film={place.subject.film} />
        </p>
        {comment.comment_id > 0 && (
          <div className="-ms-2 flex flex-wrap pt-1">
            <Like comment={comment} {...place} />
            {onReply && (
              <SmallButton ref={replyRef} onClick={onReply}>
                {say('reply')}
              </SmallButton>
            )}
            <DeleteOrReport comment={comment} authorId={user_id} {...place} />
          </div>
        )}
      </div>
    </div>
  );
}

function Like({ comment, subject, listKey }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const atOnce = useOptimistic();
  const { comment_id, liked, likes } = comment;
  const send = () =>
    atOnce<CommentsAnswer>({
      url: listKey,
      change: (answer) => withLike(answer, comment_id, !liked),
      send: async () => {
        await sendAct(likeFields(subject, comment_id, !liked));
        // For a visitor who has just logged in, the cache contains another list.
        void client.invalidateQueries({ predicate: isOf(subject) });
      },
      name: `like ${subject.section} ${String(comment_id)}`,
    });
  return (
    <SmallButton
      aria-pressed={liked}
      aria-label={`${say('like')}: ${formatNumber(likes, lang)}`}
      onClick={() => void send()}
      className={cn('min-w-11', liked && 'text-accent')}
    >
      <Icon name="like" size={16} />
      {likes > 0 && <span className="tabular-nums">{formatNumber(likes, lang)}</span>}
    </SmallButton>
  );
}

/** Lets members delete their own comments and those on their own content, and report others. */
function DeleteOrReport({ comment, authorId, subject, me, listKey }: Props & { authorId: number }) {
  const say = useActionText();
  const atOnce = useOptimistic();
  const report = useOpen();
  const id = comment.comment_id;
  const remove = () =>
    atOnce<CommentsAnswer>({
      url: listKey,
      change: (answer) => withoutComment(answer, id),
      send: () => sendAct(deleteFields(subject, id)),
      done: say('didDelete'),
      undo: () => sendAct(restoreFields(subject, id)),
    });
  if (me && (me.user_id === authorId || me.user_id === subject.ownerId)) {
    return <ConfirmButton label={say('delete')} onConfirm={() => void remove()} />;
  }
  return (
    <>
      <SmallButton onClick={report.open}>
        <MemberIcon name="flag" size={14} />
        {say('report')}
      </SmallButton>
      {report.isOpen && (
        <ReportDialog
          about={{
            section: subject.section === 'wall' ? 'wall' : 'comment',
            id,
            title: comment.username,
          }}
          onClose={report.close}
        />
      )}
    </>
  );
}
