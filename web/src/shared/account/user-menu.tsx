import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useT } from '@/i18n';
import { errorText } from '@/i18n/errors';
import { post, posted } from '@/api/client';
import { toast } from '@/ui/toast';
import type { Tab } from '@/shared/address/community-lists';
import { paths } from '@/shared/address/paths';
import { Avatar } from '@/shared/cards/avatar';
import { useVisitor } from '@/lib/visitor';
import { Disclosure, panelItem } from '@/ui/disclosure';
import { MemberIcon } from '@/ui/member-icons';
import { useAccountText } from '@/i18n/account';
import { Badge } from './badge';
import { leaving, type Me } from './use-me';

export function UserMenu({ me }: { me: Me }) {
  const t = useT();
  const say = useAccountText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const gone = leaving.useValue();
  const { user_id, username, avatar, unread_messages, friend_requests, is_moderator } = me;
  const waiting = unread_messages + friend_requests;
  const own = (tab: Tab) => paths.memberTab(user_id, tab);
  const links: [string, string, number?][] = [
    [own('uploaded_videos'), say('myPage')],
    [own('messages'), say('messages'), unread_messages],
    [own('friends'), say('friends'), friend_requests],
    [own('favourite_videos'), say('favourites')],
    [own('watch_later_videos'), say('watchLater')],
    [own('history'), say('history')],
    [paths.saved, t('nav.saved')],
    ['/muted/', say('muted')],
    [own('playlists'), t('nav.playlists')],
    [own('info'), say('settings')],
    ...(is_moderator ? [['/moderate/', say('moderate')] satisfies [string, string]] : []),
  ];
  const signOut = async () => {
    leaving.write(true);
    // Pending reads would be refused once the session has ended, and pending writes would be lost.
    await client.cancelQueries();
    await posted();
    try {
      await post('/api/logout.php', {});
      location.reload();
    } catch (error) {
      leaving.write(false);
      void client.invalidateQueries();
      await toast(await errorText(error, lang), 'error');
    }
  };
  return (
    <Disclosure
      align="end"
      // In narrower windows, there is no room for the arrow next to the bell.
      className="h-11 px-1 max-[100rem]:[&>span:last-child]:hidden"
      panelClassName="w-64"
      label={
        <span className="relative">
          <span className="sr-only">
            {waiting > 0
              ? say('menuWaiting', { name: username, count: waiting })
              : say('menu', { name: username })}
          </span>
          <Avatar name={username} picture={avatar} className="size-8 text-sm" />
          {waiting > 0 && <Badge count={waiting} corner />}
        </span>
      }
    >
      {(close) => (
        <>
          <p className="truncate px-3 py-2 text-sm font-semibold">{username}</p>
          <ul className="border-y border-line py-1">
            {links.map(([href, text, count = 0]) => (
              <li key={href}>
                <Link href={href} className={panelItem(false)} onClick={close}>
                  {text}
                  {count > 0 && <Badge count={count} />}
                </Link>
              </li>
            ))}
          </ul>
          <button
            type="button"
            disabled={gone}
            className={`${panelItem(false)} mt-1`}
            onClick={() => void signOut()}
          >
            {say('signOut')}
            <MemberIcon name="leave" size={18} />
          </button>
        </>
      )}
    </Disclosure>
  );
}
