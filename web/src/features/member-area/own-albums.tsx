import { ModelGridSkeleton } from '@/features/cards/model-card';
import { useSay } from '@/features/community/texts';
import { albumTile, Tiles } from '@/features/community/tiles';
import { useVisitor } from '@/lib/visitor';
import { listQuery } from './lists';
import { OwnPage, type Place } from './page';

const SKELETONS = 8;

/** Own albums, those that wait for review too. */
export function OwnAlbums({ page, href }: Place) {
  const say = useSay();
  const { lang } = useVisitor();
  return (
    <OwnPage
      query={listQuery('albums', page, lang)}
      none={say('noAlbums')}
      skeleton={<ModelGridSkeleton count={SKELETONS} />}
      page={page}
      href={href}
    >
      {({ albums }) =>
        albums.length > 0 ? <Tiles tiles={albums.map((album) => albumTile(album, say))} /> : null
      }
    </OwnPage>
  );
}
