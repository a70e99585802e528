/** Videos in which the words of a search are said. They load beside the results, which don't wait for them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Schema } from '@/api/call';
import { get } from '@/api/client';
import { useSearchText } from '@/i18n/search';
import { highlightParts } from '@/lib/highlight';
import { section } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { toQuery, toRequest } from '@/search/request';
import { useUnmuted } from '@/search/unmuted';
import { useVideoListing } from '@/search/video-listing';
import { paths } from '@/shared/address/paths';
import { LangText } from '@/ui/lang-text';
import { hasWords } from './has-words';

/** Returns the query for the first page of a search, or null for other pages and lists. */
function useSpokenQuery() {
  const { scope, state } = useVideoListing();
  const { lang, gender, country } = useVisitor();
  if (scope.kind !== 'search' || state.page > 1 || !hasWords(state.query)) return null;
  const found = toQuery(toRequest({ list: 'videos', scope, state }), {
    scope,
    lang,
    gender,
    country,
  });
  return found && 'search' in found ? get('/api/spoken.php', found.search) : null;
}

/** `className` keeps a distance from what is next to it. */
export function Spoken({ className }: { className: string }) {
  const query = useSpokenQuery();
  return query && <SpokenVideos {...{ query, className }} />;
}

interface Props {
  query: NonNullable<ReturnType<typeof useSpokenQuery>>;
  className: string;
}

function SpokenVideos({ query, className }: Props) {
  const t = useSearchText();
  // An addition to a page that is complete without it shows no error.
  const { data } = useQuery(useUnmuted(query));
  if (!data || data.videos.length === 0) return null;
  return (
    <section aria-labelledby="spoken" className={className}>
      <h3 id="spoken" className={`${section} pb-3`}>
        {t('spoken')}
      </h3>
      <ul className="grid gap-x-4 gap-y-3 sm:grid-cols-[repeat(auto-fill,minmax(22rem,1fr))]">
        {data.videos.map((found) => (
          <li key={found.video.video_id}>
            <SpokenVideo {...found} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SpokenVideo({ video, line }: Schema<'SpokenVideo'>) {
  return (
    <article className="group/card relative flex gap-3">
      <div className="relative aspect-video w-32 shrink-0 self-start overflow-hidden rounded-card bg-raised sm:w-40">
        {video.thumb && (
          <img
            src={video.thumb}
            width={320}
            height={180}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
        )}
      </div>
      <div className="min-w-0 flex-1 text-sm leading-5">
        <h4 className="line-clamp-1 font-medium">
          <Link
            href={paths.listed({ ...video, chapter: line })}
            className="after:absolute after:inset-0 after:content-[''] group-hover/card:text-accent"
          >
            <LangText lang={video.title_lang}>{video.title}</LangText>
          </Link>
        </h4>
        <p className="line-clamp-3 wrap-anywhere text-muted">
          <span className="font-semibold text-accent tabular-nums">{line.time}</span>{' '}
          <LangText lang={line.lang}>
            {highlightParts(line.text).map((part, index) =>
              part.marked ? <mark key={index}>{part.text}</mark> : part.text,
            )}
          </LangText>
        </p>
      </div>
    </article>
  );
}
