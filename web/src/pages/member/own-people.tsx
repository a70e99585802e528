/** Friends, those who want to be, and those who are kept away. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { meQuery } from '@/shared/account/use-me';
import type { StatFields } from '@/shared/actions/use-act';
import { useOptimistic } from '@/shared/actions/use-optimistic';
import { ModelGridSkeleton } from '@/shared/cards/model-card';
import { Avatar } from '@/shared/cards/avatar';
import { TURNED, turnedTop, useTurning, List, type Place } from '@/shared/lists/list';
import { friendsQuery } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { aboutMember, memberPath, memberTile, Tiles } from '@/shared/cards/tiles';
import { Pagination } from '@/shared/lists/pagination';
import { post } from '@/api/client';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { LoadError } from '@/ui/problem';
import { fresh } from '@/shared/queries/fresh';
import { listQuery, listUrl, type ListAnswer, type Person } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';

const SKELETONS = 12;
type People = 'friend_requests' | 'blocks';

export function OwnPeople({ id, page, href }: { id: number } & Place) {
  const say = useMemberText();
  const community = useCommunityText();
  const { lang } = useVisitor();
  return (
    <div className="flex flex-col gap-10">
      <Requests id={id} />
      <section aria-label={community('friends')}>
        <List
          query={fresh(friendsQuery(id, page))}
          none={say('noFriends')}
          skeleton={<ModelGridSkeleton count={SKELETONS} />}
          page={page}
          href={href}
        >
          {({ friends }) =>
            friends.length > 0 ? (
              <Tiles tiles={friends.map((one) => memberTile(one, lang))} />
            ) : null
          }
        </List>
      </section>
      <Blocks />
    </div>
  );
}

function Requests({ id }: { id: number }) {
  const say = useMemberText();
  const client = useQueryClient();
  const { act, ...list } = usePeople('friend_requests');
  const answer = async (person: Person, section: 'accept' | 'rem', done: string) => {
    await act(person.user_id, { act: 'friend', section }, done);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    void client.invalidateQueries({ queryKey: friendsQuery(id, 1).queryKey });
  };
  return (
    <PeopleList title={say('requests')} {...list}>
      {(person) => (
        <>
          <Button
            look="primary"

            onClick={() => void answer(person, 'accept', say('accepted'))}
          >
            {say('accept')}
          </Button>
          <Button
            look="plain"

            onClick={() => void answer(person, 'rem', say('declined'))}
          >
            {say('decline')}
          </Button>
        </>
      )}
    </PeopleList>
  );
}

function Blocks() {
  const say = useMemberText();
  const { act, ...list } = usePeople('blocks');
  return (
    <PeopleList title={say('blocked')} {...list}>
      {({ user_id }) => (
        <Button
          look="plain"

          onClick={() => void act(user_id, { act: 'block', section: 'rem' }, say('unblocked'))}
        >
          {say('unblock')}
        </Button>
      )}
    </PeopleList>
  );
}

/** A list of people, and an act that takes one out of it. */
function usePeople(list: People) {
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const [page, onPick] = useState(1);
  const query = useQuery({ ...listQuery(list, page, lang), ...TURNED });
  const { data, error, refetch, isPlaceholderData } = query;
  const { top, pick } = useTurning(page, isPlaceholderData ? undefined : data?.pages, onPick);
  const act = (id: number, fields: StatFields, done: string) =>
    atOnce<ListAnswer<People>>({
      url: listUrl(list, page, lang),
      change: (answer) => ({
        ...answer,
        members: answer.members.filter(({ user_id }) => user_id !== id),
      }),
      send: () => post('/api/stat.php', { ...fields, object_id: id }),
      done,
    });
  const people = data?.members;
  const retry = () => void refetch();
  return { act, page, pages: data?.pages ?? 0, people, error, retry, top, pick };
}

/** Nothing where there is nobody. */
function PeopleList({
  title,
  people,
  error,
  retry,
  page,
  pages,
  top,
  pick,
  children,
}: {
  title: string;
  children: (person: Person) => ReactNode;
} & Omit<ReturnType<typeof usePeople>, 'act'>) {
  const { lang } = useVisitor();
  if (error && !people) return <LoadError error={error} onRetry={retry} />;
  if (!people || people.length === 0) return null;
  return (
    <section ref={top} tabIndex={-1} aria-label={title} className={turnedTop}>
      <h2 className="pb-2 text-lg font-semibold tracking-tight">{title}</h2>
      <ul className="max-w-2xl divide-y divide-line">
        {people.map((person) => (
          <li key={person.user_id} className="flex flex-wrap items-center gap-3 py-3">
            <Avatar name={person.username} picture={person.avatar} />
            {/* Where a name has no room beside the buttons, they go below it. */}
            <div className="min-w-40 flex-1">
              <Link
                href={memberPath(person.user_id)}
                className="text-sm font-semibold hover:text-accent"
              >
                {person.username}
              </Link>
              <p className="truncate text-xs text-muted">{aboutMember(person, lang)}</p>
            </div>
            <div className="flex gap-2">{children(person)}</div>
          </li>
        ))}
      </ul>
      <Pagination of={title} page={page} pages={pages} {...(pick && { onPick: pick })} />
    </section>
  );
}
