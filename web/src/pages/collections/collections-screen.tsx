import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { useListName } from '@/lib/list-name';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Row } from '@/shared/lists/list';
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
  /** The order that links lead to. */
  usual: Sort;
  number: number;
  children: ReactNode;
}

type AnySort = AlbumSort | PlaylistSort;

function Frame<Sort extends AnySort>(props: FrameProps<Sort>) {
  const { title, root, sorts, sort, usual, number, children } = props;
  const t = useT();
  const order: AnySort = sort;
  const name = useListName(title, order !== usual && t(`sort.${order}`));
  usePageTitle(name, number);
  return (
    <div className="page flex flex-col gap-5 pt-6 lg:pt-8">
      <h1 className={heading}>{name}</h1>
      <Row
        label={t('sort.label')}
        links={sorts.map((other: AnySort) => [
          `/${root}/${other}/1/`,
          t(`sort.${other}`),
          other === sort,
        ])}
      />
      {children}
    </div>
  );
}

export function AlbumsScreen({ sort, number }: { sort: AlbumSort; number: number }) {
  const t = useT();
  const query = albumsQuery(sort, number, useVisitor());
  return (
    <Frame
      title={t('nav.albums')}
      root="albums"
      usual="latest-updates"
      {...{ sorts: ALBUM_SORTS, sort, number }}
    >
      <AlbumList query={query} page={number} href={(page) => `/albums/${sort}/${String(page)}/`} />
    </Frame>
  );
}

export function PlaylistsScreen({ sort, number }: { sort: PlaylistSort; number: number }) {
  const t = useT();
  const query = playlistsQuery(sort, number, useVisitor());
  return (
    <Frame
      title={t('nav.playlists')}
      root="playlists"
      usual="most-popular"
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
