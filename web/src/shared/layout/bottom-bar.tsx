/** The bottom bar on a phone, within reach of the thumb. It links to the most visited pages. */
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { meQuery, useMe } from '@/shared/account/use-me';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { useT } from '@/i18n';
import { useAccountText } from '@/i18n/account';
import { cn } from '@/lib/cn';
import { useAddress } from '@/lib/use-address';
import { NARROW, useMedia } from '@/lib/use-media';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';

const look = (isHere: boolean): string =>
  cn(
    'flex h-14 w-full flex-col items-center justify-center gap-0.5 text-[11px] leading-4 font-medium',
    isHere ? 'text-accent' : 'text-muted',
  );

export default function BottomBar() {
  const t = useT();
  const say = useAccountText();
  const me = useMe();
  const { pathname } = useAddress();
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  if (!useMedia(NARROW)) return null;
  const link = (href: string, root: string, icon: ReactNode, text: string) => {
    const isHere = root === '/' ? pathname === '/' : pathname.startsWith(root);
    return (
      <li className="min-w-0 flex-1">
        <Link href={href} aria-current={isHere ? 'page' : undefined} className={look(isHere)}>
          {icon}
          <span className="max-w-full truncate">{text}</span>
        </Link>
      </li>
    );
  };
  const button = (icon: ReactNode, text: string, onClick: () => void, isDialog = false) => (
    <li className="min-w-0 flex-1">
      <button
        type="button"
        aria-haspopup={isDialog ? 'dialog' : undefined}
        className={look(false)}
        onClick={onClick}
      >
        {icon}
        <span className="max-w-full truncate">{text}</span>
      </button>
    </li>
  );
  const you = <MemberIcon name="user" size={22} />;
  // A member may tap before the session's response arrives.
  const goToOwn = async () => {
    const { user } = await client.query(meQuery);
    if (user) navigate(paths.member(user.user_id));
  };
  return (
    <nav
      aria-label={say('shortcuts')}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex">
        {link(paths.home, '/', <MemberIcon name="home" size={22} />, say('home'))}
        {button(<Icon name="search" size={22} />, t('search.label'), () => {
          // Moving the focus there brings the header back.
          document.querySelector<HTMLInputElement>('header [role=combobox]')?.focus();
        })}
        {link(
          paths.categories,
          '/categories/',
          <MemberIcon name="grid" size={22} />,
          t('nav.categories'),
        )}
        {link(paths.models(), '/model', <MemberIcon name="friend" size={22} />, t('nav.models'))}
        {me
          ? link(paths.member(me.user_id), paths.member(me.user_id), you, say('you'))
          : button(you, say('you'), () => void requireLogin(goToOwn), true)}
      </ul>
    </nav>
  );
}
