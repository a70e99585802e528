import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { get } from '@/api/client';
import { modelPlace } from '@/api/endpoints';
import { lifetimes } from '../../../generated/vocabulary';
import type { Model } from '@/api/types';
import { NotFound } from '@/shared/layout/not-found';
import { paths } from '@/shared/address/paths';
import { VideoList } from '@/shared/lists/video-results';
import { useT } from '@/i18n';
import type { Lang } from '@/lib/audience';
import { deferred } from '@/lib/deferred';
import { cn } from '@/lib/cn';
import { abbreviate, countryName } from '@/lib/format';
import { isNotFound } from '@/lib/http';
import { heading, section, useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import type { Listing } from '@/search/codec';
import { VIDEO_SORTS } from '@/search/listing';
import { ListingTree } from '@/search/listing-tree';
import { VideoListingProvider } from '@/search/video-listing';
import { LoadError } from '@/ui/problem';
import { ModelInfo } from './model-info';

const modelQuery = (dir: string, lang: Lang) =>
  get('/api/json/model/{lifetime}/{prefix}/{dir}.json', {
    lifetime: lifetimes.DEFAULT,
    ...modelPlace(dir),
    lang,
  });

const ObjectActions = deferred(() => import('@/shared/actions/object-actions'));
const Wall = deferred(() => import('./wall'), <div className="min-h-[80dvh]" aria-busy="true" />);
/** The wall's name is a text of the community namespace, so this component loads together with that namespace. */
const WallName = deferred(() => import('./wall-name'));

interface Props {
  dir: string;
  /** The listing on the videos tab, or null on the profile and wall tabs. */
  listing: Extract<Listing, { list: 'videos' }> | null;
  wall?: boolean;
}

export default function ModelScreen({ dir, listing, wall = false }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const { data, error, refetch } = useQuery(modelQuery(dir, lang));
  useTitle(data && !wall ? titleOf(data.model.title, listing?.state.page, t) : undefined);
  if (isNotFound(error)) return <NotFound />;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <ModelHeader
        dir={dir}
        model={data?.model}
        tab={listing ? 'videos' : wall ? 'wall' : 'info'}
      />
      {listing ? (
        <ListingTree listing={listing}>
          <VideoListingProvider scope={listing.scope}>
            <VideoList
              heading={<h2 className={section}>{t('nav.videos')}</h2>}
              sorts={VIDEO_SORTS}
            />
          </VideoListingProvider>
        </ListingTree>
      ) : (
        data && (wall ? <Wall model={data.model} /> : <ModelInfo model={data.model} />)
      )}
    </>
  );
}

/** `page` is undefined on the profile tab. */
function titleOf(name: string, page: number | undefined, t: ReturnType<typeof useT>): string {
  if (page === 1) return name;
  return `${name} – ${page ? t('pages.page', { page }) : t('model.info')}`;
}

function ModelHeader({
  dir,
  model,
  tab: shown,
}: {
  dir: string;
  model: Model | undefined;
  tab: 'videos' | 'info' | 'wall';
}) {
  const t = useT();
  const { lang } = useVisitor();
  const tab = (href: string, label: string, current: boolean) => (
    <Link
      href={href}
      aria-current={current ? 'page' : undefined}
      className={cn(
        '-mb-px flex h-11 items-center border-b-2 px-1 text-sm font-semibold transition-colors',
        current ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
      )}
    >
      {label}
    </Link>
  );
  const facts: [string, string][] = model
    ? [
        [t('model.videos'), abbreviate(model.statistics.videos, lang)],
        [t('model.views'), abbreviate(model.statistics.viewed, lang)],
        [t('model.subscribers'), abbreviate(model.statistics.subscribers, lang)],
      ]
    : [];
  return (
    <div className="border-b border-line bg-surface">
      <div className="page pt-6 lg:pt-10">
        <div className="flex items-center gap-5 pb-6 lg:gap-8">
          <div
            className={cn(
              'size-24 shrink-0 overflow-hidden rounded-full bg-raised sm:size-36',
              !model && 'skeleton',
            )}
          >
            {model && (
              <img
                src={model.thumbs}
                alt=""
                width={320}
                height={320}
                className="size-full object-cover"
              />
            )}
          </div>
          <div className="min-w-0">
            {model ? (
              <>
                <h1 className={heading}>{model.title}</h1>
                <p className="min-h-5 pt-1 text-sm text-muted">
                  {[
                    model.country && countryName(model.country, lang),
                    model.age && t('unit.age', { count: model.age }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </>
            ) : (
              <div className="skeleton mb-2 h-9 w-56 max-w-full rounded-control" />
            )}
            <dl className="flex min-h-12 flex-wrap gap-x-8 gap-y-2 pt-4">
              {facts.map(([name, value]) => (
                <div key={name} className="flex flex-col-reverse">
                  <dt className="text-xs text-muted">{name}</dt>
                  <dd className="text-lg leading-6 font-semibold tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
        <div className="h-14">
          {model && (
            <ObjectActions section="model" id={model.model_id} title={model.title} dir={dir} />
          )}
        </div>
        <nav aria-label={model?.title} className="flex gap-6">
          {tab(paths.model(dir), t('nav.videos'), shown === 'videos')}
          {tab(paths.modelInfo(dir), t('model.info'), shown === 'info')}
          <WallName>{(name) => tab(`${paths.model(dir)}wall/`, name, shown === 'wall')}</WallName>
        </nav>
      </div>
    </div>
  );
}
