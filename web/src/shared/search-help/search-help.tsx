/** What surrounds search results: other matches by name, spelling corrections, and words that were dropped to find something. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Relaxed } from '@/api/types';
import { useT } from '@/i18n';
import { useVisitor } from '@/lib/visitor';
import { section } from '@/lib/title';
import { useVideoListing } from '@/search/video-listing';
import { Groups } from './groups';
import { useSearchText } from '@/i18n/search';

interface Props {
  /** Videos that match the whole query, if other videos follow. */
  exact?: ReactNode;
  children: ReactNode;
}

export default function SearchHelp({ exact, children }: Props) {
  const { results, href } = useVideoListing();
  const { relaxed, exact_count, groups, did_you_mean } = results.help ?? {};
  return (
    <>
      {groups && <Groups {...groups} />}
      {did_you_mean && <DidYouMean query={did_you_mean} to={href({ query: did_you_mean })} />}
      {exact && <div className="mb-6">{exact}</div>}
      {relaxed && <Notice relaxed={relaxed} />}
      {relaxed && !exact_count && <SubstituteHeading relaxed={relaxed} />}
      {children}
    </>
  );
}

function DidYouMean({ query, to }: { query: string; to: string }) {
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
} as const satisfies Partial<Record<Relaxed, string>>;

/** The maximum number of words shown. */
const NAMED = 3;

const namesOf = (shown_for: string[] = []): string => shown_for.slice(0, NAMED).join(' / ');

/** The heading for substitute results, which is the same as the server's (`site/src/describe/lists.rs`). */
function SubstituteHeading({ relaxed }: { relaxed: Relaxed[] }) {
  const t = useT();
  const { help } = useVideoListing().results;
  const shown = namesOf(help?.shown_for);
  const found = shown ? t('search.heading', { query: shown }) : t('filter.results');
  return (
    <h3 className={`${section} pb-3`}>
      {relaxed.includes('popular') ? t('sort.most-popular') : found}
    </h3>
  );
}

/** Explains which results are shown instead of exact matches or after them. */
function Notice({ relaxed }: { relaxed: Relaxed[] }) {
  const [t, ts] = [useT(), useSearchText()];
  const { lang } = useVisitor();
  const { state, results } = useVideoListing();
  const { shown_for, exact_count = 0 } = results.help ?? {};
  const given = relaxed.filter((part) => part in FILTER) as (keyof typeof FILTER)[];
  const filters = new Intl.ListFormat(lang).format(given.map((part) => t(FILTER[part])));
  const { query } = state;
  const shown = namesOf(shown_for);
  return (
    <p role="status" className="mb-6 rounded-card bg-raised px-4 py-3 text-pretty">
      {relaxed.includes('popular') && ts('popular', { query })}
      {shown && ts(exact_count > 0 ? 'also' : 'instead', { query, shown })}{' '}
      {given.length > 0 && !relaxed.includes('popular') && ts('without', { filters })}
    </p>
  );
}
