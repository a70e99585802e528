/** A member as everybody sees one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { VideoGrid } from '@/features/cards/video-grid';
import { useT } from '@/i18n';
import { fullDate } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { Failure, heading, List, Row, usePageTitle } from './parts';
import {
  friendsQuery,
  memberAlbumsQuery,
  memberPlaylistsQuery,
  memberQuery,
  memberVideosQuery,
  subscriptionsQuery,
  wallQuery,
  type Comment,
  type Member,
} from './queries';
import { TABS, type Tab } from './route';
import { useSay, type Say } from './texts';
import {
  aboutMember,
  albumTile,
  memberPath,
  memberTile,
  playlistTile,
  subscriptionTile,
  Tiles,
} from './tiles';

interface Props {
  id: number;
  tab: Tab;
  number: number;
}

/** The member's page begins with the videos. */
const tabPath = (id: number, tab: Tab, page = 1): string => {
  if (tab === 'uploaded_videos' && page === 1) return memberPath(id);
  const single = tab === 'info' || tab === 'subscriptions';
  return `${memberPath(id)}${tab}/${single ? '' : `${String(page)}/`}`;
};

const titleOf = (tab: Tab, t: ReturnType<typeof useT>, say: Say): string => {
  switch (tab) {
    case 'uploaded_videos':
      return t('nav.videos');
    case 'albums':
    case 'playlists':
      return t(`nav.${tab}`);
    case 'info':
      return t('model.info');
    default:
      return say(tab);
  }
};

export function MemberScreen({ id, tab, number }: Props) {
  const t = useT();
  const say = useSay();
  const { lang } = useVisitor();
  const { data, error, refetch } = useQuery(memberQuery(id));
  const member = data?.member;
  const title = (name: string) =>
    tab === 'uploaded_videos' ? name : `${name} – ${titleOf(tab, t, say)}`;
  usePageTitle(member && title(member.username), number);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="page flex flex-col gap-6 pt-6 lg:pt-8">
      <div className="flex items-center gap-5">
        <div className="grid size-24 shrink-0 place-items-center overflow-hidden rounded-full bg-raised text-3xl font-semibold text-muted uppercase">
          {member?.avatar ? (
            <img
              src={member.avatar}
              alt=""
              width={320}
              height={320}
              className="size-full object-cover"
            />
          ) : (
            <span aria-hidden="true">{member && Array.from(member.username)[0]}</span>
          )}
        </div>
        <div className="min-w-0">
          <h1 className={heading}>{member?.username ?? ' '}</h1>
          <p className="min-h-5 pt-1 text-sm text-muted">{member && aboutMember(member, lang)}</p>
        </div>
      </div>
      <Row
        label={member?.username ?? t('nav.community')}
        links={TABS.map((other) => [tabPath(id, other), titleOf(other, t, say), other === tab])}
      />
      {tab === 'info' ? (
        member && <Profile member={member} />
      ) : (
        <TabList {...{ id, tab, number }} />
      )}
    </div>
  );
}

function TabList({ id, tab, number }: Props) {
  const say = useSay();
  const visitor = useVisitor();
  const { lang } = visitor;
  const place = { page: number, href: (page: number) => tabPath(id, tab, page) };
  const some = <Item, Shown>(items: Item[], show: (items: Item[]) => Shown) =>
    items.length > 0 ? show(items) : null;
  switch (tab) {
    case 'albums':
      return (
        <List query={memberAlbumsQuery(id, number, visitor)} none="noAlbums" {...place}>
          {({ albums }) =>
            some(albums, (list) => <Tiles tiles={list.map((album) => albumTile(album, say))} />)
          }
        </List>
      );
    case 'playlists':
      return (
        <List query={memberPlaylistsQuery(id, number, visitor)} none="noPlaylists" {...place}>
          {({ playlists }) =>
            some(playlists, (list) => (
              <Tiles wide tiles={list.map((one) => playlistTile(one, say))} />
            ))
          }
        </List>
      );
    case 'wall':
      return (
        <List query={wallQuery(id, number)} none="noComments" {...place}>
          {({ comments }) => some(comments, (list) => <Wall comments={list} lang={lang} />)}
        </List>
      );
    case 'friends':
      return (
        <List query={friendsQuery(id, number)} none="noMembers" {...place}>
          {({ friends }) =>
            some(friends, (list) => <Tiles tiles={list.map((one) => memberTile(one, lang))} />)
          }
        </List>
      );
    case 'subscriptions':
      return (
        // The address of this list has no page.
        <List
          query={subscriptionsQuery(id, 1)}
          none="noSubscriptions"
          page={1}
          href={() => tabPath(id, tab)}
        >
          {({ subscriptions }) =>
            some(subscriptions, (list) => <Tiles tiles={list.map(subscriptionTile)} />)
          }
        </List>
      );
    default:
      return (
        <List query={memberVideosQuery(id, number, visitor)} none={null} {...place}>
          {({ videos }) => some(videos, (list) => <VideoGrid videos={list} eager />)}
        </List>
      );
  }
}

function Wall({ comments, lang }: { comments: Comment[]; lang: string }) {
  return (
    <ul className="flex max-w-prose flex-col divide-y divide-line">
      {comments.map((comment) => (
        <li key={comment.comment_id} className="py-4">
          <p className="flex flex-wrap items-baseline gap-x-3 pb-1 text-sm">
            <Link href={memberPath(comment.user_id)} className="font-semibold hover:text-accent">
              {comment.username}
            </Link>
            <time dateTime={comment.added_date} className="text-xs text-muted">
              {fullDate(comment.added_date, lang)}
            </time>
          </p>
          <p className="text-sm whitespace-pre-line">{comment.comment}</p>
        </li>
      ))}
    </ul>
  );
}

function Profile({ member }: { member: Member }) {
  const t = useT();
  const say = useSay();
  const { lang } = useVisitor();
  const rows: [string, string | null][] = [
    [say('joined'), fullDate(member.added_date, lang)],
    [say('city'), member.city],
    [say('occupation'), member.occupation],
    [say('interests'), member.interests],
    [t('model.about'), member.about],
  ];
  return (
    <dl className="max-w-prose divide-y divide-line">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex gap-6 py-3 text-sm">
              <dt className="w-40 shrink-0 text-muted">{name}</dt>
              <dd className="whitespace-pre-line">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
