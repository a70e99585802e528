/** A conversation. The newest message is at the bottom, next to the form. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { meQuery } from '@/shared/account/use-me';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { changeAtOnce } from '@/shared/actions/at-once';
import { ConfirmButton } from '@/shared/actions/confirm-button';
import { Avatar } from '@/shared/cards/avatar';
import { listUrl } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';
import { post } from '@/api/client';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { LoadError } from '@/ui/problem';
import { ShowMore } from '@/ui/show-more';
import { Bubble } from './bubble';
import { MessageForm } from './message-form';
import { inOrder, threadQuery, withoutMessage, type Thread } from './thread';

export function Conversation({ id }: { id: number }) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  const query = threadQuery(id);
  const thread = useInfiniteQuery(query);
  const { data, error, refetch } = thread;
  const messages = data ? inOrder(data) : [];
  const newest = messages.at(-1)?.message_id;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = box.current;
    if (node) node.scrollTop = node.scrollHeight;
  }, [newest]);
  const unread = messages.some(({ own, read }) => !own && !read);
  const listKey = listUrl('messages', 1, lang);
  useEffect(() => {
    if (!unread) return;
    void requireLogin(async () => {
      await post('/api/messages.php', { act: 'read', to: id });
      void client.invalidateQueries({ queryKey: [listKey] });
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
    });
  }, [unread, id, client, requireLogin, listKey]);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  const user = data?.pages[0]?.user;
  const removeOne = (message: number) =>
    void requireLogin(async () => {
      await changeAtOnce<Thread>({
        client,
        queryKey: query.queryKey,
        change: (old) => withoutMessage(old, message),
        send: () => post('/api/messages.php', { act: 'delete', message_id: message }),
      });
      void client.invalidateQueries({ queryKey: [listKey] });
    });
  const removeAll = () =>
    void requireLogin(async () => {
      await post('/api/messages.php', { act: 'delete', to: id });
      client.removeQueries({ queryKey: query.queryKey });
      void client.invalidateQueries({ queryKey: [listKey] });
      navigate(location.pathname);
      await toast(say('didDelete'));
    });
  return (
    <section
      aria-label={user ? say('with', { name: user.username }) : say('conversations')}
      aria-busy={!data}
      className="flex h-[70dvh] min-h-96 flex-col rounded-card border border-line bg-surface"
    >
      <div className="flex items-center gap-3 border-b border-line p-3">
        <Link
          href={location.pathname}
          aria-label={say('back')}
          className={`${button.icon} lg:hidden`}
        >
          <Icon name="left" />
        </Link>
        {user && (
          <>
            <Avatar name={user.username} picture={user.avatar} />
            <h2 className="min-w-0 flex-1 truncate font-semibold">
              <Link href={paths.member(user.user_id)} className="hover:text-accent">
                {user.username}
              </Link>
            </h2>
            {messages.length > 0 && (
              <ConfirmButton compact label={say('deleteConversation')} onConfirm={removeAll} />
            )}
          </>
        )}
      </div>
      {/* The log can be scrolled by keyboard. */}
      <div
        ref={box}
        role="log"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={say('conversations')}
        className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto overscroll-contain p-4"
      >
        <ShowMore list={thread} label={say('older')} className="self-center" />
        {messages.map((message) => (
          <Bubble
            key={message.message_id}
            message={message}
            onDelete={() => {
              removeOne(message.message_id);
            }}
          />
        ))}
        {data && messages.length === 0 && (
          <p className="m-auto text-sm text-muted">{say('noMessages')}</p>
        )}
      </div>
      <MessageForm id={id} />
    </section>
  );
}
