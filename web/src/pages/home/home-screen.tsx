import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { HOME_BLOCK, homeQuery, type HomeBlock } from '@/api/endpoints';
import { paths } from '@/shared/address/paths';
import { ModelGrid, ModelGridSkeleton } from '@/shared/cards/model-card';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { readStored, writeStored } from '@/lib/storage';
import { useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Icon } from '@/ui/icons';
import { LoadError } from '@/ui/problem';
import { CountryPicker } from '@/shared/country/country-picker';
import { LazyBlock } from './lazy-block';

const COUNTRY_KEY = 'lantern.country';
const isCountry = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value);

export default function HomeScreen() {
  const t = useT();
  const visitor = useVisitor();
  const [country, setCountry] = useState(() => readStored(COUNTRY_KEY, isCountry, visitor.country));
  const title = useListName(t('home.title'));
  useTitle(title);
  const videos = <VideoGridSkeleton count={HOME_BLOCK} />;
  return (
    <div className="page">
      <h1 className="sr-only">{title}</h1>
      <LazyBlock
        eager
        labelledBy="home-country"
        skeleton={videos}
        heading={
          <div className="flex flex-wrap items-center gap-3">
            <Heading id="home-country">{t('nav.topCountry')}</Heading>
            <CountryPicker
              country={country}
              onChoose={(code) => {
                writeStored(COUNTRY_KEY, code);
                setCountry(code);
              }}
            />
          </div>
        }
        more={<More href={paths.topCountry(country)} of={t('nav.topCountry')} />}
      >
        <Videos block="country" country={country} eager />
      </LazyBlock>
      <LazyBlock
        labelledBy="home-day"
        skeleton={videos}
        heading={<Heading id="home-day">{t('home.day')}</Heading>}
        more={<More href={paths.videos('most-popular', '?date=day')} of={t('home.day')} />}
      >
        <Videos block="day" country={country} />
      </LazyBlock>
      <LazyBlock
        labelledBy="home-latest"
        skeleton={videos}
        heading={<Heading id="home-latest">{t('sort.latest-updates')}</Heading>}
        more={<More href={paths.videos()} of={t('sort.latest-updates')} />}
      >
        <Videos block="latest" country={country} />
      </LazyBlock>
      <LazyBlock
        labelledBy="home-models"
        skeleton={<ModelGridSkeleton count={HOME_BLOCK} />}
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
    <h2 id={id} className="text-xl font-semibold tracking-tight lg:text-2xl">
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
      className="flex items-center gap-1 text-sm font-medium text-muted transition-colors hover:text-accent"
    >
      {t('home.all')}
      <Icon name="right" size={16} />
    </Link>
  );
}

interface VideosProps {
  block: HomeBlock;
  country: string;
  eager?: boolean;
}

function Videos({ block, country, eager = false }: VideosProps) {
  const t = useT();
  const { data: home, error, refetch } = useHome(country, block === 'country');
  const data = home?.[block];
  if (data && data.videos.length > 0) return <VideoGrid videos={data.videos} eager={eager} />;
  if (data) return <p className="py-10 text-muted">{t('empty.videos')}</p>;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <VideoGridSkeleton count={HOME_BLOCK} />;
}

/** One call for all blocks; those that another country leaves as they are stay in sight meanwhile. */
const useHome = (country: string, ofCountry: boolean) =>
  useQuery({
    ...homeQuery(country, useVisitor()),
    ...(ofCountry ? {} : { placeholderData: keepPreviousData }),
  });

function Models({ country }: { country: string }) {
  const t = useT();
  const { data: home, error, refetch } = useHome(country, false);
  const data = home?.models;
  if (data && data.models.length > 0) return <ModelGrid models={data.models} />;
  if (data) return <p className="py-10 text-muted">{t('empty.models')}</p>;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <ModelGridSkeleton count={HOME_BLOCK} />;
}
