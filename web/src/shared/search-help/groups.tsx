import { type ReactNode } from 'react';
import { Link } from 'wouter';
import type { SearchHelp } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { useMutes } from '@/shared/mutes/mutes';
import { useT } from '@/i18n';
import { Named } from '@/ui/named';

/** Models, categories and playlists that match the query, without muted ones. They are in a row, which scrolls if it is narrow. */
export function Groups({ playlists, ...found }: NonNullable<SearchHelp['groups']>) {
  const t = useT();
  const mutes = useMutes();
  const models = found.models.filter(isNotIn(mutes.models));
  const categories = found.categories.filter(isNotIn(mutes.categories));
  return (
    <div className="-mx-4 mb-5 flex gap-6 overflow-x-auto px-4 pb-1 [scrollbar-width:thin] lg:mx-0 lg:px-0">
      <Group title={t('nav.models')} empty={models.length === 0}>
        {models.map(({ dir, title, detail, thumbs, total_videos }) => (
          <Item
            key={dir}
            to={paths.model(dir)}
            thumb={thumbs}
            round
            {...{ title, detail, total_videos }}
          />
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
            to={paths.playlist(playlist_id)}
            {...{ thumb, title, total_videos }}
          />
        ))}
      </Group>
    </div>
  );
}

const isNotIn =
  (muted: { dir: string }[]) =>
  ({ dir }: { dir: string }): boolean =>
    !muted.some((one) => one.dir === dir);

interface GroupProps {
  title: string;
  empty: boolean;
  children: ReactNode;
}

function Group({ title, empty, children }: GroupProps) {
  if (empty) return null;
  return (
    <section aria-label={title} className="flex shrink-0 items-center gap-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="flex gap-2">{children}</ul>
    </section>
  );
}

interface ItemProps {
  to: string;
  thumb?: string | undefined;
  title: string;
  detail?: string | undefined;
  total_videos: number;
  round?: boolean;
}

function Item({ to, thumb, title, detail, total_videos, round }: ItemProps) {
  const t = useT();
  return (
    <li className="shrink-0">
      <Link
        href={to}
        className="flex h-12 max-w-56 items-center gap-2.5 rounded-card bg-raised pe-3 transition-colors hover:bg-hover"
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
                ? 'ms-1.5 size-9 rounded-full object-cover'
                : 'size-12 rounded-s-card object-cover'
            }
          />
        ) : (
          <span className="w-1" />
        )}
        <span className="min-w-0">
          <span className="block truncate text-sm font-medium">
            <Named title={title} detail={detail} />
          </span>
          <span className="block truncate text-xs text-muted">
            {t('count.videos', { count: total_videos })}
          </span>
        </span>
      </Link>
    </li>
  );
}
