import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useT } from '@/i18n';
import { useCommunityText } from '@/i18n/community';
import { useListName } from '@/lib/list-name';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { ListHead } from '@/shared/lists/list-head';
import { SortMenu } from '@/shared/lists/sort-menu';
import { albumsQuery, playlistsQuery } from '@/shared/queries/community';
import {
  ALBUM_SORTS,
  PLAYLIST_SORTS,
  type AlbumSort,
  type PlaylistSort,
} from '@/shared/address/community-lists';
import { AlbumList, PlaylistList } from '@/shared/cards/tiles';

interface FrameProps<Sort extends string> {
  title: string;
  root: string;
  sorts: readonly Sort[];
  sort: Sort;
  /** The default sort order. */
  usual: Sort;
  /** Number of items, once known. */
  summary: string | null;
  number: number;
  children: ReactNode;
}

type AnySort = AlbumSort | PlaylistSort;

function Frame<Sort extends AnySort>(props: FrameProps<Sort>) {
  const { title, root, sorts, sort, usual, summary, number, children } = props;
  const t = useT();
  const order: AnySort = sort;
  const name = useListName(title, order !== usual && t(`sort.${order}`));
  usePageTitle(name, number);
  return (
    <div className="page pt-6 lg:pt-8">
      <ListHead
        heading={<h1 className={heading}>{name}</h1>}
        summary={summary}
        sort={
          <SortMenu
            links={sorts.map((other: AnySort) => [
              `/${root}/${other}/1/`,
              t(`sort.${other}`),
              other === sort,
            ])}
          />
        }
      />
      {children}
    </div>
  );
}

export function AlbumsScreen({ sort, number }: { sort: AlbumSort; number: number }) {
  const t = useT();
  const say = useCommunityText();
  const query = albumsQuery(sort, number, useVisitor());
  const { data } = useQuery(query);
  return (
    <Frame
      title={t('nav.albums')}
      root="albums"
      usual="latest-updates"
      summary={data ? say('albums', { count: data.total_count }) : null}
      {...{ sorts: ALBUM_SORTS, sort, number }}
    >
      <AlbumList query={query} page={number} href={(page) => `/albums/${sort}/${String(page)}/`} />
    </Frame>
  );
}

export function PlaylistsScreen({ sort, number }: { sort: PlaylistSort; number: number }) {
  const t = useT();
  const say = useCommunityText();
  const query = playlistsQuery(sort, number, useVisitor());
  const { data } = useQuery(query);
  return (
    <Frame
      title={t('nav.playlists')}
      root="playlists"
      usual="most-popular"
      summary={data ? say('playlists', { count: data.total_count }) : null}
      {...{ sorts: PLAYLIST_SORTS, sort, number }}
    >
      <PlaylistList
        query={query}
        page={number}
        href={(page) => `/playlists/${sort}/${String(page)}/`}
      />
    </Frame>
  );
}
