/** What members write under a thing, and the form to write more. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useMe, type Me } from '@/shared/account/use-me';
import { requestLogin } from '@/shared/account/login-request';
import { ConfirmButton, SmallButton } from '@/shared/actions/confirm-button';
import { ReportDialog } from '@/shared/actions/dialogs';
import { MemberIcon } from '@/ui/member-icons';
import { useActionText } from '@/i18n/actions';
import { useOptimistic } from '@/shared/actions/use-optimistic';
import { memberPath } from '@/shared/cards/tiles';
import { Pagination } from '@/shared/lists/pagination';
import { cn } from '@/lib/cn';
import { age, formatNumber, fullDate } from '@/lib/format';
import { getJson } from '@/lib/http';
import { post } from '@/api/client';
import { useVisitor } from '@/lib/visitor';
import { Button, button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { Avatar } from '@/shared/cards/avatar';
import { section } from '@/lib/title';
import { CommentForm } from './comment-form';
import {
  commentsUrl,
  deleteFields,
  restoreFields,
  type Comment,
  type CommentsAnswer,
  type Subject,
} from './subject';

interface Props {
  subject: Subject;
  /** Where a page of them is, for those whose page is in the address… */
  href?: (page: number) => string;
  page?: number;
  /** The heading; none where the screen has one of its own. */
  heading?: boolean;
}

export default function Comments({ subject, href, page: asked = 1, heading = true }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const me = useMe();
  const [picked, setPicked] = useState(1);
  const top = useRef<HTMLDivElement>(null);
  const page = href ? asked : picked;
  const url = commentsUrl(subject, page, me != null);
  const { data, error, refetch } = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<CommentsAnswer>(url, signal),
    enabled: me !== undefined,
    ...(me && { staleTime: 0 }),
  });
  const isClosed = subject.ownerOnly && me?.user_id !== subject.ownerId;
  const pick = (next: number) => {
    setPicked(next);
    top.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <section aria-label={say('comments')} className="flex flex-col gap-5">
      {heading && (
        <h2 className={section}>
          {say('comments')}{' '}
          {data && data.total_count > 0 && (
            <span className="font-normal text-muted tabular-nums">
              {formatNumber(data.total_count, lang)}
            </span>
          )}
        </h2>
      )}
      <div className={cn(!isClosed && 'min-h-36')}>
        {isClosed ? null : me ? (
          <CommentForm
            subject={subject}
            me={me}
            onSent={() => {
              setPicked(1);
            }}
          />
        ) : (
          me === null && <Invitation />
        )}
      </div>
      <div ref={top} className="scroll-mt-20">
        {error && !data ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <CommentList subject={subject} me={me ?? null} comments={data.comments} listKey={url} />
        ) : (
          <Skeleton />
        )}
      </div>
      <Pagination
        of={say('comments')}
        page={page}
        pages={data?.pages ?? 0}
        {...(href ? { href } : { onPick: pick })}
      />
    </section>
  );
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="flex max-w-prose flex-col gap-6 py-4">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex gap-3">
          <span className="skeleton size-10 rounded-full" />
          <span className="flex flex-1 flex-col gap-2">
            <span className="skeleton h-3.5 w-1/3 rounded" />
            <span className="skeleton h-3.5 w-full rounded" />
          </span>
        </div>
      ))}
    </div>
  );
}

/** In the form's place, for guests. */
function Invitation() {
  const say = useActionText();
  return (
    <div className="flex max-w-prose flex-col items-start gap-4 rounded-card bg-surface p-5">
      <p className="text-sm">{say('guest')}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          onClick={() => {
            requestLogin();
          }}
        >
          {say('login')}
        </Button>
        <Link href="/signup/" className={button.plain}>
          {say('register')}
        </Link>
      </div>
    </div>
  );
}

interface ListProps {
  subject: Subject;
  me: Me | null;
  comments: Comment[];
  listKey: string;
}

function CommentList({ subject, me, comments, listKey }: ListProps) {
  const say = useActionText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const [reported, setReported] = useState<Comment | null>(null);
  const remove = (id: number) =>
    atOnce<CommentsAnswer>({
      url: listKey,
      change: (answer) => ({
        ...answer,
        comments: answer.comments.filter(({ comment_id }) => comment_id !== id),
        total_count: answer.total_count - 1,
      }),
      send: () => post('/api/stat.php', deleteFields(subject, id)),
      done: say('didDelete'),
      undo: () => post('/api/stat.php', restoreFields(subject, id)),
    });
  if (comments.length === 0) return <p className="py-4 text-sm text-muted">{say('noComments')}</p>;
  return (
    <>
      <ul className="flex max-w-prose flex-col divide-y divide-line">
        {comments.map((comment) => (
          <li
            key={comment.comment_id}
            className={cn('flex gap-3 py-4', comment.comment_id < 0 && 'opacity-60')}
          >
            <Avatar name={comment.username} picture={comment.avatar} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
                <Link
                  href={memberPath(comment.user_id)}
                  className="font-semibold hover:text-accent"
                >
                  {comment.username}
                </Link>
                <time
                  dateTime={comment.added_date}
                  title={fullDate(comment.added_date, lang)}
                  className="text-xs text-muted"
                >
                  {age(comment.added_date, lang)}
                </time>
              </p>
              <p className="pt-1 text-sm whitespace-pre-line">{comment.comment}</p>
              {comment.comment_id > 0 && (
                <p className="-ms-2 pt-1">
                  {me && (me.user_id === comment.user_id || me.user_id === subject.ownerId) ? (
                    <ConfirmButton
                      label={say('delete')}
                      onConfirm={() => void remove(comment.comment_id)}
                    />
                  ) : (
                    <SmallButton
                      onClick={() => {
                        setReported(comment);
                      }}
                    >
                      <MemberIcon name="flag" size={14} />
                      {say('report')}
                    </SmallButton>
                  )}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {reported && (
        <ReportDialog
          about={{ section: 'comment', id: reported.comment_id, title: reported.username }}
          onClose={() => {
            setReported(null);
          }}
        />
      )}
    </>
  );
}
