import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Link } from 'wouter';
import { homeQuery, type HomeBlock } from '@/api/endpoints';
import { paths } from '@/shared/address/paths';
import { ModelGrid, ModelGridSkeleton } from '@/shared/cards/model-card';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { section, useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { useUnmuted } from '@/search/unmuted';
import { Icon } from '@/ui/icons';
import { LoadError } from '@/ui/problem';
import { CountryPicker } from '@/shared/country/country-picker';
import { BecauseBlock } from './because-block';
import { ContinueBlock } from './continue-block';
import { LazyBlock } from './lazy-block';
import { Shelf, ShelfSpace, type ShelfKind } from './shelf';

/** Width of the first shelf's cards. The server uses the same value for preloading (`site/src/document.rs`). */
const LARGE_WIDTHS = '(width >= 40rem) 480px, 88vw';
/** Number of placeholders, which is enough for the widest window. */
const WAITING = 8;

export default function HomeScreen() {
  const t = useT();
  const { country, setCountry } = useVisitor();
  const title = useListName(t('home.title'));
  useTitle(title);
  return (
    <div className="page">
      <h1 className="sr-only">{title}</h1>
      <ContinueBlock more={<More href="/videos/history/1/" of={t('home.continue')} />}>
        <LazyBlock
          eager
          labelledBy="home-country"
          skeleton={<Waiting kind="lead" />}
          heading={
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <Heading id="home-country">{t('nav.topCountry')}</Heading>
              <CountryPicker country={country} onChoose={setCountry} />
            </div>
          }
          more={<More href={paths.topCountry(country)} of={t('nav.topCountry')} />}
        >
          <Videos block="country" name={t('nav.topCountry')} country={country} lead />
        </LazyBlock>
      </ContinueBlock>
      <BecauseBlock />
      <LazyBlock
        labelledBy="home-day"
        skeleton={<Waiting kind="videos" />}
        heading={<Heading id="home-day">{t('home.day')}</Heading>}
        more={<More href={paths.videos('most-popular', '?date=day')} of={t('home.day')} />}
      >
        <Videos block="day" name={t('home.day')} country={country} />
      </LazyBlock>
      <LazyBlock
        labelledBy="home-latest"
        skeleton={<Waiting kind="videos" />}
        heading={<Heading id="home-latest">{t('sort.latest-updates')}</Heading>}
        more={<More href={paths.videos()} of={t('sort.latest-updates')} />}
      >
        <Videos block="latest" name={t('sort.latest-updates')} country={country} />
      </LazyBlock>
      <LazyBlock
        labelledBy="home-models"
        skeleton={<Waiting kind="models" />}
        heading={<Heading id="home-models">{t('home.models')}</Heading>}
        more={<More href={paths.models()} of={t('home.models')} />}
      >
        <Models country={country} />
      </LazyBlock>
    </div>
  );
}

function Heading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className={section}>
      {children}
    </h2>
  );
}

function More({ href, of }: { href: string; of: string }) {
  const t = useT();
  return (
    <Link
      href={href}
      aria-label={t('home.allOf', { name: of })}
      className="flex shrink-0 items-center max-[22.5rem]:shrink max-[22.5rem]:text-end gap-1 text-sm font-medium text-muted touch transition-colors hover:text-accent"
    >
      {t('home.all')}
      <Icon name="right" size={16} />
    </Link>
  );
}

interface VideosProps {
  block: HomeBlock;
  name: string;
  country: string;
  /** Whether it is the page's first shelf, whose larger pictures are loaded eagerly. */
  lead?: boolean;
}

const Waiting = ({ kind }: { kind: ShelfKind }) => (
  <ShelfSpace kind={kind}>
    {kind === 'models' ? (
      <ModelGridSkeleton count={WAITING} />
    ) : (
      <VideoGridSkeleton count={WAITING} />
    )}
  </ShelfSpace>
);

function Videos({ block, name, country, lead = false }: VideosProps) {
  const kind = lead ? 'lead' : 'videos';
  const t = useT();
  const { data: home, error, refetch } = useHome(country, block === 'country');
  const data = home?.[block];
  if (data && data.videos.length > 0) {
    return (
      <Shelf kind={kind} name={name}>
        <VideoGrid videos={data.videos} eager={lead} sizes={lead ? LARGE_WIDTHS : undefined} />
      </Shelf>
    );
  }
  if (data) return <p className="py-10 text-muted">{t('empty.videos')}</p>;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <Waiting kind={kind} />;
}

/** One call requests all blocks. Blocks that don't depend on the country stay while the country changes. */
const useHome = (country: string, ofCountry: boolean) =>
  useQuery({
    ...useUnmuted(homeQuery(country, useVisitor())),
    ...(ofCountry ? {} : { placeholderData: keepPreviousData }),
  });

function Models({ country }: { country: string }) {
  const t = useT();
  const { data: home, error, refetch } = useHome(country, false);
  const data = home?.models;
  if (data && data.models.length > 0) {
    return (
      <Shelf kind="models" name={t('home.models')}>
        <ModelGrid models={data.models} />
      </Shelf>
    );
  }
  if (data) return <p className="py-10 text-muted">{t('empty.models')}</p>;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <Waiting kind="models" />;
}
