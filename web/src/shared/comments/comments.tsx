/** Members' comments on an object, with the form. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import { useMe, type Me } from '@/shared/account/use-me';
import { requestLogin } from '@/shared/account/login-request';
import { withNext } from '@/shared/account/next';
import { SmallButton } from '@/shared/actions/confirm-button';
import { useActionText } from '@/i18n/actions';
import { Pagination } from '@/shared/lists/pagination';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { getJson } from '@/lib/http';
import { useAddress } from '@/lib/use-address';
import { useVisitor } from '@/lib/visitor';
import { Button, button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { section } from '@/lib/title';
import { CommentForm } from './comment-form';
import {
  COMMENTS,
  commentsUrl,
  type CommentsAnswer,
  type CommentSort,
  type Subject,
} from './subject';
import { Thread } from './thread';
import { usePublish } from './use-publish';

interface Props {
  subject: Subject;
  /** Returns a link to a page of comments. It is missing if the address does not contain the page. */
  href?: (page: number) => string;
  page?: number;
  /** Whether to show a heading. It is left out if the screen has its own. */
  heading?: boolean;
}

export default function Comments({
  subject,
  href,
  page: pageOfAddress = 1,
  heading = true,
}: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const me = useMe();
  const client = useQueryClient();
  const [picked, setPicked] = useState(1);
  const [sort, setSort] = useState<CommentSort>('newest');
  const top = useRef<HTMLDivElement>(null);
  const isTurned = useRef(false);
  const page = href ? pageOfAddress : picked;
  const guestUrl = commentsUrl(subject, page, false, { sort });
  const url = me ? commentsUrl(subject, page, true, { sort }) : guestUrl;
  const { data, error, refetch } = useQuery<CommentsAnswer>({
    queryKey: [url],
    queryFn: ({ signal }) => getJson(url, signal),
    enabled: me !== undefined,
    // Show the page's embedded data until the member's own response arrives. A reply that is being written stays, too.
    ...(me && {
      staleTime: 0,
      placeholderData: () => client.getQueryData([guestUrl]),
    }),
  });
  const isClosed = subject.ownerOnly && me?.user_id !== subject.ownerId;
  // Scroll to the top of the next page and move the focus there, but only when the visitor picked a page. Going back restores that page's
  // scroll position.
  useEffect(() => {
    if (!isTurned.current) return;
    isTurned.current = false;
    top.current?.scrollIntoView({ block: 'start' });
    top.current?.focus({ preventScroll: true });
  }, [page]);
  const whole = useArrival(data !== undefined);
  const pick = (next: number) => {
    isTurned.current = next !== page;
    setPicked(next);
  };
  const first = () => {
    setPicked(1);
    if (href && page > 1) navigate(href(1));
  };
  return (
    <section
      ref={whole}
      aria-label={say('comments')}
      tabIndex={-1}
      className="flex scroll-mt-20 flex-col gap-5 outline-none"
    >
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
          <NewComment
            subject={subject}
            me={me}
            onSent={() => {
              setSort('newest');
              first();
            }}
          />
        ) : (
          me === null && <Invitation />
        )}
      </div>
      <Sorts
        sort={sort}
        onPick={(next) => {
          setSort(next);
          first();
        }}
      />
      <div ref={top} tabIndex={-1} className="scroll-mt-20 outline-none">
        {error && !data ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data?.comments.length === 0 ? (
          <p className="py-4 text-sm text-muted">{say('noComments')}</p>
        ) : data ? (
          <ul className="flex max-w-prose flex-col divide-y divide-line">
            {data.comments.map((comment) => (
              <Thread
                key={comment.comment_id}
                comment={comment}
                subject={subject}
                me={me ?? null}
                listKey={url}
                isOpen={!isClosed}
              />
            ))}
          </ul>
        ) : (
          <Skeleton />
        )}
      </div>
      <Pagination
        of={say('comments')}
        page={page}
        pages={data?.pages ?? 0}
        href={href}
        onPick={pick}
      />
    </section>
  );
}

function NewComment({ subject, me, onSent }: { subject: Subject; me: Me; onSent: () => void }) {
  const say = useActionText();
  const publish = usePublish(subject, me, onSent);
  return <CommentForm label={say('yourComment')} publish={publish} done={say('didComment')} />;
}

const readHash = () => location.hash;

/** Scrolls to the comments once they are loaded, if the visitor followed a link to them (as in reply notifications). */
function useArrival(isThere: boolean): RefObject<HTMLElement | null> {
  const root = useRef<HTMLElement>(null);
  const hash = useLocationProperty(readHash);
  useEffect(() => {
    if (!isThere || hash !== COMMENTS) return;
    root.current?.scrollIntoView({ block: 'start' });
    root.current?.focus({ preventScroll: true });
    // When the visitor comes back later, the old scroll position applies.
    history.replaceState(history.state, '', location.pathname + location.search);
  }, [isThere, hash]);
  return root;
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

/** Shown to guests in place of the form. */
function Invitation() {
  const say = useActionText();
  const { pathname } = useAddress();
  return (
    <div className="flex max-w-prose flex-col items-start gap-4 rounded-card bg-surface p-5">
      <p className="text-sm">{say('guest')}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => requestLogin()}>
          {say('login')}
        </Button>
        <Link href={withNext('/signup/', pathname)} className={button.plain}>
          {say('register')}
        </Link>
      </div>
    </div>
  );
}

/** Sort orders as buttons, because there is room for three. */
function Sorts({ sort, onPick }: { sort: CommentSort; onPick: (sort: CommentSort) => void }) {
  const say = useActionText();
  const sorts = [
    ['newest', say('newest')],
    ['oldest', say('oldest')],
    ['most-liked', say('mostLiked')],
  ] as const;
  return (
    <div role="group" aria-label={say('orderOfComments')} className="-ms-2 flex flex-wrap">
      {sorts.map(([key, name]) => (
        <SmallButton
          key={key}
          aria-pressed={key === sort}
          className={cn(key === sort && 'bg-raised text-ink')}
          onClick={() => onPick(key)}
        >
          {name}
        </SmallButton>
      ))}
    </div>
  );
}
