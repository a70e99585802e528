/** Around the results of a search: what else is called so, another spelling, and what was given up to find something. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Relaxed } from '@/api/types';
import { useT } from '@/i18n';
import { useOpen } from '@/lib/use-open';
import { useVisitor } from '@/lib/visitor';
import { useVideoListing } from '@/search/video-listing';
import { Button } from '@/ui/button';
import { Groups } from './groups';
import NothingFound from './nothing-found';
import { useSearchText } from '@/i18n/search';

export default function SearchHelp({ children }: { children: ReactNode }) {
  const { results, href } = useVideoListing();
  const { relaxed, groups, did_you_mean } = results.help ?? {};
  return (
    <>
      {groups && <Groups {...groups} />}
      {did_you_mean && <Meant query={did_you_mean} to={href({ query: did_you_mean })} />}
      {relaxed ? (
        <Relieved key={href({ page: 1 })} relaxed={relaxed}>
          {children}
        </Relieved>
      ) : (
        children
      )}
    </>
  );
}

function Meant({ query, to }: { query: string; to: string }) {
  const t = useSearchText();
  return (
    <p className="pb-4">
      {t('meant')}{' '}
      <Link href={to} className="font-semibold text-accent underline-offset-4 hover:underline">
        {query}
      </Link>
    </p>
  );
}

const FILTER = {
  duration: 'filter.duration',
  date: 'filter.date',
  category: 'filter.categories',
} as const satisfies Record<Exclude<Relaxed, 'words' | 'spelling'>, string>;

/** The results of a relaxed search, marked as such, and the way back to the search that was made. */
function Relieved({ relaxed, children }: { relaxed: Relaxed[]; children: ReactNode }) {
  const [t, ts] = [useT(), useSearchText()];
  const { lang } = useVisitor();
  const { state, results } = useVideoListing();
  const relief = useOpen(true);
  if (!relief.isOpen) {
    return (
      <NothingFound>
        <Button look="plain" onClick={relief.open}>
          {ts('redo')}
        </Button>
      </NothingFound>
    );
  }
  const given = relaxed.filter((part) => part !== 'words' && part !== 'spelling');
  const filters = new Intl.ListFormat(lang).format(given.map((part) => t(FILTER[part])));
  const shown = results.help?.shown_for;
  return (
    <>
      <div
        role="status"
        className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card bg-raised px-4 py-3"
      >
        <p className="min-w-0 text-pretty">
          {ts('nothing', { query: state.query })}{' '}
          {shown !== undefined && <>{ts('shownFor', { query: shown.join(' / ') })} </>}
          {given.length > 0 && ts('without', { filters })}
        </p>
        <button
          type="button"
          className="touch min-h-8 shrink-0 text-sm font-semibold text-accent underline-offset-4 hover:underline"
          onClick={relief.close}
        >
          {ts('undo')}
        </button>
      </div>
      {children}
    </>
  );
}
