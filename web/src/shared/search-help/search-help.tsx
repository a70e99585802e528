/** What surrounds search results: other matches by name, spelling corrections, and videos that match only a part of the search or by what is
 * said in them. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Relaxed, SearchHelp as Help } from '@/api/types';
import { VideoGrid } from '@/shared/cards/video-grid';
import { newSince } from '@/shared/saved/new-since';
import { useT } from '@/i18n';
import { useVisitor } from '@/lib/visitor';
import { section } from '@/lib/title';
import { useVideoListing } from '@/search/video-listing';
import { Groups } from './groups';
import { hasWords } from './has-words';
import { Spoken } from './spoken';
import { useSearchText } from '@/i18n/search';

export default function SearchHelp({ children }: { children: ReactNode }) {
  const { results, href } = useVideoListing();
  const { relaxed, groups, did_you_mean, partial } = results.help ?? {};
  return (
    <>
      {groups && <Groups {...groups} />}
      {did_you_mean && <DidYouMean query={did_you_mean} to={href({ query: did_you_mean })} />}
      {/* A hit precedes substitutes for hits. Below other results, it moves none of them when it loads. */}
      {relaxed && <Spoken className="pb-8" />}
      {relaxed && <SubstituteNotice relaxed={relaxed} />}
      {relaxed && <SubstituteHeading relaxed={relaxed} />}
      {children}
      {partial && <PartialMatches {...partial} />}
      {!relaxed && <Spoken className="pt-8" />}
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

/** The maximum number of queries shown. */
const NAMED = 3;

const namesOf = (shown_for: string[] = []): string => shown_for.slice(0, NAMED).join(' / ');

function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="mb-6 rounded-card bg-raised px-4 py-3 text-pretty">
      {children}
    </p>
  );
}

/** A heading for results of other searches. It is the same as the server's (`site/src/describe/lists.rs`). */
function Heading({ id, text }: { id?: string; text: string }) {
  return (
    <h3 id={id} className={`${section} pb-3`}>
      {text}
    </h3>
  );
}

function SubstituteHeading({ relaxed }: { relaxed: Relaxed[] }) {
  const t = useT();
  const { help } = useVideoListing().results;
  const shown = namesOf(help?.shown_for);
  const found = shown ? t('search.heading', { query: shown }) : t('filter.results');
  return <Heading text={relaxed.includes('popular') ? t('sort.most-popular') : found} />;
}

/** Explains which results are shown because nothing matches the whole search. */
function SubstituteNotice({ relaxed }: { relaxed: Relaxed[] }) {
  const [t, ts] = [useT(), useSearchText()];
  const { lang } = useVisitor();
  const { state, results } = useVideoListing();
  const given = relaxed.filter((part) => part in FILTER) as (keyof typeof FILTER)[];
  const filters = new Intl.ListFormat(lang).format(given.map((part) => t(FILTER[part])));
  const { query } = state;
  const isPopular = relaxed.includes('popular');
  const shown = namesOf(results.help?.shown_for);
  return (
    <Notice>
      {isPopular && (hasWords(query) ? ts('popular', { query }) : ts('onlyMinus'))}
      {shown && ts('instead', { query, shown })}{' '}
      {given.length > 0 && !isPopular && ts('without', { filters })}
    </Notice>
  );
}

/** Videos that match fewer words, below few results. Which of them is opened says nothing about the search. */
function PartialMatches({ videos, shown_for }: NonNullable<Help['partial']>) {
  const [t, ts] = [useT(), useSearchText()];
  const { query } = useVideoListing().state;
  const since = newSince.useValue()?.since;
  const shown = namesOf(shown_for);
  return (
    <section aria-labelledby="partial" className="pt-8">
      <Notice>{ts('also', { query, shown })}</Notice>
      <Heading id="partial" text={t('search.heading', { query: shown })} />
      <VideoGrid videos={videos} since={since} />
    </section>
  );
}
