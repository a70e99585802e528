/** The member's conversations. The latest comes first. */
import { Link } from 'wouter';
import { Avatar } from '@/shared/cards/avatar';
import { listQuery } from '@/shared/queries/own-lists';
import { List } from '@/shared/lists/list';
import { useMemberText } from '@/i18n/member';
import { cn } from '@/lib/cn';
import { age } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { useState } from 'react';

export function Conversations({ current }: { current: number | null }) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const [page, setPage] = useState(1);
  return (
    <List
      of="conversations"
      query={listQuery('messages', page, lang)}
      none={say('noMessages')}
      skeleton={<Skeleton />}
      page={page}
      onPick={setPage}
    >
      {(conversations) => (
        <ul className="flex flex-col gap-1">
          {conversations.map(({ user, last, unread }) => (
            <li key={user.user_id}>
              <Link
                href={`?with=${String(user.user_id)}`}
                aria-current={user.user_id === current ? 'true' : undefined}
                className={cn(
                  'flex items-center gap-3 rounded-card p-3 transition-colors hover:bg-raised',
                  user.user_id === current && 'bg-raised',
                )}
              >
                <Avatar name={user.username} picture={user.avatar} />
                <span className="min-w-0 flex-1">
                  <span className="flex items-baseline justify-between gap-2">
                    <b className="truncate text-sm font-semibold">{user.username}</b>
                    <time dateTime={last.created_at} className="shrink-0 text-xs text-muted">
                      {age(last.created_at, lang)}
                    </time>
                  </span>
                  <span className="block truncate text-xs text-muted">
                    {last.own ? say('you', { text: last.text }) : last.text}
                  </span>
                </span>
                {unread > 0 && (
                  <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums">
                    <span aria-hidden="true">{unread}</span>
                    <span className="sr-only">{say('unread', { count: unread })}</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}

function Skeleton() {
  return (
    <div className="flex flex-col gap-1">
      {[0, 1, 2, 3].map((row) => (
        <span key={row} className="skeleton h-16 rounded-card" />
      ))}
    </div>
  );
}
