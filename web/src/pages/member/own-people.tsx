/** Friends, friend requests, and blocked members. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { meQuery } from '@/shared/account/use-me';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { ModelGridSkeleton } from '@/shared/cards/model-card';
import { Avatar } from '@/shared/cards/avatar';
import { List, type Place } from '@/shared/lists/list';
import { friendsQuery, type MemberCard } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { aboutMember, FriendList } from '@/shared/cards/tiles';
import { sendAct, type ObjectAct } from '@/api/act';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { fresh } from '@/shared/queries/fresh';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';

const SKELETONS = 12;
type People = 'friend_requests' | 'blocks';

export function OwnPeople({ id, ...place }: { id: number } & Place) {
  const say = useMemberText();
  const community = useCommunityText();
  return (
    <div className="flex flex-col gap-10">
      <Requests id={id} />
      <section aria-label={community('friends')}>
        <FriendList
          member={id}
          query={fresh(friendsQuery(id, place.page))}
          none={say('noFriends')}
          skeleton={<ModelGridSkeleton count={SKELETONS} />}
          {...place}
        />
      </section>
      <Blocks />
    </div>
  );
}

function Requests({ id }: { id: number }) {
  const say = useMemberText();
  const client = useQueryClient();
  const { act, ...list } = usePeople('friend_requests');
  const answer = async (person: MemberCard, section: 'accept' | 'rem', done: string) => {
    await act({ act: 'friend', section, object_id: person.user_id }, done);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    void client.invalidateQueries({ queryKey: friendsQuery(id, 1).queryKey });
  };
  return (
    <PeopleList title={say('requests')} {...list}>
      {(person) => (
        <>
          <Button look="primary" onClick={() => void answer(person, 'accept', say('accepted'))}>
            {say('accept')}
          </Button>
          <Button look="plain" onClick={() => void answer(person, 'rem', say('declined'))}>
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
          onClick={() =>
            void act({ act: 'block', section: 'rem', object_id: user_id }, say('unblocked'))
          }
        >
          {say('unblock')}
        </Button>
      )}
    </PeopleList>
  );
}

/** Returns the list's current page, and an action that removes a person from it. */
function usePeople(list: People) {
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const [page, onPick] = useState(1);
  const act = (fields: ObjectAct, done: string) =>
    atOnce<ListAnswer<People>>({
      url: listUrl(list, page, lang),
      change: (answer) => without(answer, 'members', ({ user_id }) => user_id === fields.object_id),
      send: () => sendAct(fields),
      done,
    });
  return { act, query: listQuery(list, page, lang), page, onPick };
}

interface PeopleProps extends Omit<ReturnType<typeof usePeople>, 'act'> {
  title: string;
  children: (person: MemberCard) => ReactNode;
}

function PeopleList({ children, ...list }: PeopleProps) {
  const { lang } = useVisitor();
  return (
    <List of="members" {...list}>
      {(members) => (
        <ul className="max-w-2xl divide-y divide-line">
          {members.map((person) => (
            <li key={person.user_id} className="flex flex-wrap items-center gap-3 py-3">
              <Avatar name={person.username} picture={person.avatar} />
              {/* If the name doesn't fit next to the buttons, they wrap and appear below it. */}
              <div className="min-w-40 flex-1">
                <Link
                  href={paths.member(person.user_id)}
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
      )}
    </List>
  );
}
