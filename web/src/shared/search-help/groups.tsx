import { type ReactNode } from 'react';
import { Link } from 'wouter';
import type { SearchHelp } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';

/** Models, categories and playlists of the searched name, in one line each that scrolls where it is narrow. */
export function Groups({ models, categories, playlists }: NonNullable<SearchHelp['groups']>) {
  const t = useT();
  return (
    <>
      <Group title={t('nav.models')} empty={models.length === 0}>
        {models.map(({ dir, title, thumbs, total_videos }) => (
          <Item key={dir} to={paths.model(dir)} thumb={thumbs} round {...{ title, total_videos }} />
        ))}
      </Group>
      <Group title={t('nav.categories')} empty={categories.length === 0}>
        {categories.map(({ dir, title, thumb, total_videos }) => (
          <Item key={dir} to={paths.category(dir)} thumb={thumb} {...{ title, total_videos }} />
        ))}
      </Group>
      <Group title={t('nav.playlists')} empty={playlists.length === 0}>
        {playlists.map(({ playlist_id, title, thumb, total_videos }) => (
          <Item
            key={playlist_id}
            to={`/playlist/${String(playlist_id)}/1/`}
            {...{ thumb, title, total_videos }}
          />
        ))}
      </Group>
    </>
  );
}

interface GroupProps {
  title: string;
  empty: boolean;
  children: ReactNode;
}

function Group({ title, empty, children }: GroupProps) {
  if (empty) return null;
  return (
    <section aria-label={title} className="pb-5">
      <h3 className="pb-2 text-sm font-semibold">{title}</h3>
      <ul className="-mx-4 flex gap-3 overflow-x-auto px-4 pb-1 lg:mx-0 lg:flex-wrap lg:px-0">
        {children}
      </ul>
    </section>
  );
}

interface ItemProps {
  to: string;
  thumb?: string | undefined;
  title: string;
  total_videos: number;
  round?: boolean;
}

function Item({ to, thumb, title, total_videos, round }: ItemProps) {
  const t = useT();
  return (
    <li className="shrink-0">
      <Link
        href={to}
        className="flex h-16 max-w-64 items-center gap-3 rounded-card bg-raised pe-4 transition-colors hover:bg-hover"
      >
        {thumb ? (
          <img
            src={thumb}
            alt=""
            width={64}
            height={64}
            loading="lazy"
            decoding="async"
            className={
              round
                ? 'ms-2 size-12 rounded-full object-cover'
                : 'size-16 rounded-s-card object-cover'
            }
          />
        ) : (
          <span className="w-1" />
        )}
        <span className="min-w-0">
          <span className="block truncate text-sm font-medium">{title}</span>
          <span className="block truncate text-xs text-muted">
            {t('count.videos', { count: total_videos })}
          </span>
        </span>
      </Link>
    </li>
  );
}
