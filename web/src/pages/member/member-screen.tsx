/** A member's page: other viewers see the profile, and the owner sees a private area. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { deferred } from '@/lib/deferred';
import { isOneOf } from '@/lib/one-of';
import { paths } from '@/shared/address/paths';
import { NotFound } from '@/shared/layout/not-found';
import { Redirect } from '@/shared/layout/redirect';
import { withNext } from '@/shared/account/next';
import { useMe, type Me } from '@/shared/account/use-me';
import { useT } from '@/i18n';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Panel } from '@/ui/problem';
import { Failure, Row } from '@/shared/lists/list';
import { Avatar } from '@/shared/cards/avatar';
import { Profile } from './profile';
import { memberQuery, type Member } from '@/shared/queries/community';
import { AREA, OWN_TABS, TABS, type Tab } from '@/shared/address/community-lists';
import { TabList } from './tab-list';
import { useCommunityText, type CommunityText } from '@/i18n/community';
import { aboutMember } from '@/shared/cards/tiles';

const OwnTab = deferred(
  () => import('./own-tab'),
  <div className="min-h-[80dvh]" aria-busy="true" />,
);
const PersonActions = deferred(
  () => import('@/shared/actions/person-actions'),
  <div className="h-12" />,
);

interface MemberProps {
  id: number;
  tab: Tab;
  number: number;
}

const titleOf = (tab: Tab, t: ReturnType<typeof useT>, say: CommunityText): string => {
  switch (tab) {
    case 'uploaded_videos':
      return t('nav.videos');
    case 'albums':
    case 'playlists':
      return t(`nav.${tab}`);
    case 'info':
      return t('model.info');
    case 'favourite_videos':
      return say('favourites');
    case 'watch_later_videos':
      return say('watchLater');
    default:
      return say(tab);
  }
};

/** Number of items that are waiting in a tab. */
const waiting = (tab: Tab, me: Me | null | undefined): number =>
  tab === 'messages'
    ? (me?.unread_messages ?? 0)
    : tab === 'friends'
      ? (me?.friend_requests ?? 0)
      : tab === 'notifications'
        ? (me?.unread_notifications ?? 0)
        : 0;

export function MemberScreen({ id, tab, number }: MemberProps) {
  const t = useT();
  const say = useCommunityText();
  const me = useMe();
  const { data, error, refetch } = useQuery(memberQuery(id));
  // The browser may still cache a profile for a while after the member is deleted.
  const [gone, setGone] = useState<number | null>(null);
  const onMissing = useCallback(() => setGone(id), [id]);
  const member = data?.member;
  const own = me?.user_id === id;
  const personal = isOneOf(OWN_TABS, tab);
  const title = (name: string) =>
    tab === 'uploaded_videos' ? name : `${name} – ${titleOf(tab, t, say)}`;
  usePageTitle(member && title(member.username), number);
  if (personal && me === null) return <Redirect to={withNext('/signin/', location.pathname)} />;
  if (gone === id) return <NotFound />;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  const shown = own ? AREA : TABS;
  const nameOf = (other: Tab) => {
    const count = own ? waiting(other, me) : 0;
    return count > 0 ? `${titleOf(other, t, say)} (${String(count)})` : titleOf(other, t, say);
  };
  const place = { page: number, href: (page: number) => paths.memberTab(id, tab, page) };
  return (
    <div className="page flex flex-col gap-6 pt-6 lg:pt-8">
      <Header member={member} />
      {!own && member && <PersonActions id={id} username={member.username} />}
      <Row
        label={member?.username ?? t('nav.community')}
        links={shown.map((other) => [paths.memberTab(id, other), nameOf(other), other === tab])}
      />
      {own ? (
        <OwnTab me={me} tab={tab} {...place} />
      ) : personal ? (
        me && <Panel title={say('noPermission')} />
      ) : tab === 'info' ? (
        member && <Profile member={member} />
      ) : (
        <TabList id={id} tab={tab} {...place} onMissing={onMissing} />
      )}
    </div>
  );
}

function Header({ member }: { member: Member | undefined }) {
  const { lang } = useVisitor();
  return (
    <div>
      {member?.cover && (
        <div className="mb-6 aspect-[4/1] overflow-hidden rounded-card bg-raised">
          <img src={member.cover} alt="" className="size-full object-cover" />
        </div>
      )}
      <div className="flex items-center gap-4 sm:gap-5">
        <Avatar
          name={member?.username ?? ''}
          picture={member?.avatar ?? null}
          className="size-20 text-3xl sm:size-24"
        />
        <div className="min-w-0">
          {/* Even the longest name fits on a phone. */}
          {member ? (
            <h1 className={heading}>{member.username}</h1>
          ) : (
            <div className="skeleton h-7 w-40 rounded-control lg:h-8" />
          )}
          <p className="min-h-5 pt-1 text-sm text-muted">{member && aboutMember(member, lang)}</p>
        </div>
      </div>
    </div>
  );
}
