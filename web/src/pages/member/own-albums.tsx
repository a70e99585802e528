import { ModelGridSkeleton } from '@/shared/cards/model-card';
import { useCommunityText } from '@/i18n/community';
import { albumTile, Tiles } from '@/shared/cards/tiles';
import { useVisitor } from '@/lib/visitor';
import { listQuery } from '@/shared/queries/own-lists';
import { List, type Place } from '@/shared/lists/list';

const SKELETONS = 8;

/** Own albums, those that wait for review too. */
export function OwnAlbums({ page, href }: Place) {
  const say = useCommunityText();
  const { lang } = useVisitor();
  return (
    <List
      query={listQuery('albums', page, lang)}
      none={say('noAlbums')}
      skeleton={<ModelGridSkeleton count={SKELETONS} />}
      page={page}
      href={href}
    >
      {({ albums }) =>
        albums.length > 0 ? <Tiles tiles={albums.map((album) => albumTile(album, say))} /> : null
      }
    </List>
  );
}
