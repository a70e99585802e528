/** Followed models and members, and their new videos. */
import { useState } from 'react';
import { SmallButton } from '@/shared/actions/confirm-button';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { useCommunityText } from '@/i18n/community';
import { subscriptionTile, TileCard } from '@/shared/cards/tiles';
import { sendAct } from '@/api/act';
import { useVisitor } from '@/lib/visitor';
import { Feed } from './feed';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { List } from '@/shared/lists/list';
import { waitingTiles } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';
import { section } from '@/lib/title';

type Answer = ListAnswer<'subscriptions'>;
type SubscriptionItem = Answer['subscriptions'][number];
const part = `pb-4 ${section}`;

export function OwnSubscriptions() {
  const say = useMemberText();
  return (
    <div className="flex flex-col gap-12">
      <section aria-labelledby="feed">
        <h2 id="feed" className={part}>
          {say('newVideos')}
        </h2>
        <Feed />
      </section>
      <section aria-labelledby="following">
        <h2 id="following" className={part}>
          {say('following')}
        </h2>
        <Following />
      </section>
    </div>
  );
}

function Following() {
  const say = useMemberText();
  const community = useCommunityText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const [page, setPage] = useState(1);
  const same = (one: SubscriptionItem, other: SubscriptionItem) =>
    one.section === other.section && one.object_id === other.object_id;
  const tell = (section: 'add' | 'rem', item: SubscriptionItem) =>
    sendAct({
      act: 'subscribe',
      section,
      object_type: item.section,
      object_id: item.object_id,
    });
  const leave = (item: SubscriptionItem) =>
    atOnce<Answer>({
      url: listUrl('subscriptions', page, lang),
      change: (answer) => without(answer, 'subscriptions', (other) => same(item, other)),
      send: () => tell('rem', item),
      done: say('unsubscribed'),
      undo: () => tell('add', item),
    });
  return (
    <List
      of="subscriptions"
      query={listQuery('subscriptions', page, lang)}
      none={community('noSubscriptions')}
      skeleton={waitingTiles}
      page={page}
      onPick={setPage}
      name={say('following')}
    >
      {(subscriptions) => (
        <ul className="model-grid">
          {subscriptions.map((item) => (
            <li key={`${item.section} ${String(item.object_id)}`}>
              <TileCard tile={subscriptionTile(item)} />
              <SmallButton
                aria-label={`${say('unsubscribe')}: ${item.title}`}
                onClick={() => void leave(item)}
                className="-ms-2"
              >
                {say('unsubscribe')}
              </SmallButton>
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}
