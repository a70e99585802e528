/** Rows of notifications, each with the event, the time and a remove button. */
import { Link } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { post } from '@/api/client';
import { useNotificationText } from '@/i18n/notifications';
import { cn } from '@/lib/cn';
import { age, formatNumber, fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { meQuery } from '@/shared/account/use-me';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { Avatar } from '@/shared/cards/avatar';
import { listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import { pathOf, wordOf, type Notification } from './about';

interface Props {
  notifications: Notification[];
  /** The recipient's id. */
  me: number;
  /** Which page of the list is shown. */
  page: number;
  onFollow?: () => void;
}

export function NotificationRows({ notifications, me, page, onFollow }: Props) {
  const say = useNotificationText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const atOnce = useOptimistic();
  const url = listUrl('notifications', page, lang);
  const recount = () => void client.invalidateQueries({ queryKey: meQuery.queryKey });
  const read = async (id: number) => {
    try {
      await post('/api/notifications.php', { act: 'read', notification_id: id });
    } catch {
      return; // it stays unread, as the list shows when viewed next; its target is open by now
    }
    void client.invalidateQueries({ queryKey: [url] });
    recount();
  };
  const remove = async (id: number) => {
    const send = (act: 'remove' | 'restore') => () =>
      post('/api/notifications.php', { act, notification_id: id });
    await atOnce<ListAnswer<'notifications'>>({
      url,
      change: (answer) =>
        without(answer, 'notifications', ({ notification_id }) => notification_id === id),
      send: send('remove'),
      done: say('removed'),
      undo: send('restore'),
    });
    recount();
  };
  return (
    <ul className="divide-y divide-line">
      {notifications.map((one) => {
        const { notification_id: id, actor, happened_at, is_read } = one;
        const name = actor?.username ?? '';
        const text = say(wordOf(one), {
          name,
          title: one.title,
          count: formatNumber(one.times, lang),
        });
        return (
          <li key={id} className="flex items-center gap-1">
            <Link
              href={pathOf(one, me)}
              className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-3 hover:bg-raised"
              onClick={() => {
                if (!is_read) void read(id);
                onFollow?.();
              }}
            >
              {actor ? (
                <Avatar name={name} picture={actor.avatar} />
              ) : (
                <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-muted">
                  <MemberIcon name={one.kind.startsWith('upload') ? 'upload' : 'bell'} />
                </span>
              )}
              <span className="min-w-0 flex-1">
                <span className={cn('block text-sm wrap-anywhere', !is_read && 'font-semibold')}>
                  {text}
                </span>
                <time
                  dateTime={happened_at}
                  title={fullDate(happened_at, lang)}
                  className="text-xs text-muted"
                >
                  {age(happened_at, lang)}
                </time>
              </span>
              {!is_read && (
                <span className="size-2.5 shrink-0 rounded-full bg-accent">
                  <span className="sr-only">{say('new')}</span>
                </span>
              )}
            </Link>
            <button
              type="button"
              aria-label={say('remove', { text })}
              className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
              onClick={() => void remove(id)}
            >
              <Icon name="close" size={18} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
