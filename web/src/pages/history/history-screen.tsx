/** The page `/videos/history/{page}/`, which shows the viewer's own history. */
import { Suspense } from 'react';
import { Link } from 'wouter';
import HideWatched from '@/shared/mutes/hide-watched';
import { useMe } from '@/shared/account/use-me';
import { heading, usePageTitle } from '@/lib/title';
import { useCommunityText } from '@/i18n/community';
import { Pagination } from '@/shared/lists/pagination';
import { waitingVideos } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { PAGE_SIZE } from '../../../generated/vocabulary';
import { pageOf, restored, titleIn, without } from '@/shared/history/entries';
import { EMPTY } from '@/shared/history/stored';
import { changeGuestHistory, guestHistory, useGuestHistory } from '@/shared/history/guest-history';
import { forgetSearches, recentSearches, rememberSearch } from '@/shared/search-box/recent';
import { HistoryControls, HistoryList } from '@/shared/history/history-list';
import { MemberHistory } from '@/shared/history/member-history';

const href = (page: number) => `/videos/history/${String(page)}/`;

export default function HistoryScreen({ number }: { number: number }) {
  const say = useCommunityText();
  const me = useMe();
  usePageTitle(say('history'), number);
  return (
    <div className="page flex flex-col gap-5 pt-6 lg:pt-8">
      <h1 className={heading}>{say('history')}</h1>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <HideWatched />
        <Link href="/muted/" className="touch text-sm font-medium text-accent hover:underline">
          {say('muted')}
        </Link>
      </div>
      <Suspense fallback={waitingVideos}>
        {me === undefined ? (
          waitingVideos
        ) : me ? (
          <MemberHistory page={number} href={href} />
        ) : (
          <GuestHistory page={number} />
        )}
      </Suspense>
    </div>
  );
}

function GuestHistory({ page }: { page: number }) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const { items, paused } = useGuestHistory();
  const shown = pageOf(items, page, PAGE_SIZE);
  return (
    <>
      <HistoryControls
        paused={paused}
        empty={items.length === 0}
        note={say('guestHistory')}
        onPause={(next) => changeGuestHistory((history) => ({ ...history, paused: next }))}
        onClear={() => {
          const { items: before } = guestHistory();
          const searches = recentSearches();
          changeGuestHistory((history) => ({ ...EMPTY, paused: history.paused }));
          forgetSearches();
          void toast(say('cleared'), 'success', () => {
            changeGuestHistory((history) => ({ ...history, items: before }));
            for (const text of searches.toReversed()) rememberSearch(text);
          });
        }}
      />
      <HistoryList
        videos={shown.items.map((item) => ({
          ...item.video,
          ...titleIn(item, lang),
          stopped_at: item.stopped_at,
        }))}
        onRemove={(id) => {
          const { items: before } = guestHistory();
          changeGuestHistory((history) => without(history, id));
          void toast(say('removed'), 'success', () =>
            changeGuestHistory((history) => restored(history, before, id)),
          );
        }}
      />
      <Pagination page={page} pages={shown.pages} href={href} />
    </>
  );
}
