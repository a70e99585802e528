/** A comment with its replies. The first replies are shown at once, and more are loaded page by page on request. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { sendAct } from '@/api/act';
import { useActionText } from '@/i18n/actions';
import { formatNumber } from '@/lib/format';
import { getJson } from '@/lib/http';
import { useOpen } from '@/lib/use-open';
import { useVisitor } from '@/lib/visitor';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { SmallButton } from '@/shared/actions/confirm-button';
import { LoadError } from '@/ui/problem';
import { CommentForm } from './comment-form';
import { CommentRow, type Place } from './comment-row';
import { addFields, commentsUrl, isOf, type Comment, type CommentsAnswer } from './subject';
import { freshComment } from './use-publish';

interface Props extends Place {
  comment: Comment;
  /** Whether the viewer may comment here. */
  isOpen: boolean;
}

export function Thread({ comment, isOpen, ...place }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const { subject, me, listKey } = place;
  const client = useQueryClient();
  const form = useOpen();
  const [pages, setPages] = useState(0);
  const replyButton = useRef<HTMLButtonElement>(null);
  const { comment_id: id, total_replies: total, replies } = comment;
  const hasMore = pages === 0 && total > replies.length;
  // The viewer's own replies are in the cache, so that likes and deletions update them like any other reply.
  const sentKey = `${listKey} sent ${String(id)}`;
  const { data: sent } = useQuery<CommentsAnswer>({ queryKey: [sentKey], queryFn: skipToken });
  const close = () => {
    form.close();
    // The form with the focused element is gone.
    replyButton.current?.focus();
  };
  const publish = async (msg: string) => {
    const answer = await sendAct(addFields(subject, msg, id));
    const given = answer.comment_id ?? answer.wall_id;
    if (me && given !== undefined) {
      const fresh = freshComment(subject, me, { comment_id: given, comment: msg, parent_id: id });
      client.setQueryData<CommentsAnswer>([sentKey], (before) => {
        const comments = [...(before?.comments ?? []), fresh];
        return { comments, total_count: comments.length, pages: 1 };
      });
    }
    close();
    void client.invalidateQueries({ predicate: isOf(subject) });
  };
  const requireLogin = useRequireLogin();
  const reply = () => void requireLogin(form.open);
  // While there are more replies to load, the viewer's own replies are shown separately.
  const own = hasMore
    ? (sent?.comments ?? []).filter((one) => !replies.some((r) => r.comment_id === one.comment_id))
    : [];
  return (
    <li className="flex flex-col gap-2 py-4">
      <CommentRow
        comment={comment}
        {...place}
        replyRef={replyButton}
        onReply={isOpen && !comment.is_deleted ? reply : undefined}
      />
      {(total > 0 || form.isOpen) && (
        <div className="ms-4 flex flex-col gap-3 border-s border-line ps-4 sm:ms-5">
          {pages === 0 ? (
            <>
              <Replies replies={replies} {...place} />
              <Replies replies={own} {...place} listKey={sentKey} />
            </>
          ) : (
            <AllReplies thread={id} pages={pages} onMore={setPages} {...place} />
          )}
          {hasMore && (
            <SmallButton
              className="self-start"
              onClick={() => {
                setPages(1);
                client.removeQueries({ queryKey: [sentKey] });
              }}
            >
              {say('allReplies', { count: formatNumber(total, lang) })}
            </SmallButton>
          )}
          {form.isOpen && (
            <CommentForm
              label={say('yourReply', { name: comment.username })}
              publish={publish}
              done={say('didReply')}
              onCancel={close}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Replies({ replies, ...place }: { replies: Comment[] } & Place) {
  if (replies.length === 0) return null;
  return (
    <ul className="flex flex-col gap-3">
      {replies.map((reply) => (
        <li key={reply.comment_id}>
          <CommentRow comment={reply} {...place} />
        </li>
      ))}
    </ul>
  );
}

interface AllProps extends Place {
  thread: number;
  /** How many pages are shown. */
  pages: number;
  onMore: (pages: number) => void;
}

function AllReplies({ pages, onMore, ...rest }: AllProps) {
  return Array.from({ length: pages }, (_, index) => (
    <ReplyPage
      key={index}
      page={index + 1}
      onMore={
        index + 1 === pages
          ? () => {
              onMore(pages + 1);
            }
          : undefined
      }
      {...rest}
    />
  ));
}

interface PageProps extends Place {
  thread: number;
  page: number;
  /** Only set on the last page that is shown. */
  onMore: (() => void) | undefined;
}

function ReplyPage({ thread, page, onMore, subject, me }: PageProps) {
  const say = useActionText();
  const url = commentsUrl(subject, page, me !== null, { thread });
  const { data, error, refetch } = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<CommentsAnswer>(url, signal),
    ...(me && { staleTime: 0 }),
  });
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <div aria-busy="true" className="skeleton h-24 rounded-card" />;
  return (
    <>
      <Replies replies={data.comments} subject={subject} me={me} listKey={url} />
      {onMore && page < data.pages && (
        <SmallButton className="self-start" onClick={onMore}>
          {say('loadMore')}
        </SmallButton>
      )}
    </>
  );
}
