/** An album's photos and description. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { heading, useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { Failure, Row } from '@/shared/lists/list';
import { albumQuery } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { LangText } from '@/ui/lang-text';
import { Gallery } from './gallery';

const ObjectActions = deferred(
  () => import('@/shared/actions/object-actions'),
  <div className="h-12" />,
);
const Comments = deferred(() => import('@/shared/comments/comments'));

export function AlbumScreen({ id }: { id: number }) {
  const t = useT();
  const say = useCommunityText();
  const { data, error, refetch } = useQuery(albumQuery(id, useVisitor().lang));
  const album = data?.album;
  useTitle(album?.title);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!album) return <div className="min-h-[120dvh]" aria-busy="true" />;
  return (
    <article className="page flex flex-col gap-5 pt-6 lg:pt-8">
      <h1 className={heading}>
        <LangText lang={album.title_lang}>{album.title}</LangText>
      </h1>
      <p className="text-sm text-muted">
        {say('photos', { count: album.photos_amount })}
        {album.user && (
          <>
            {' · '}
            <Link
              href={paths.member(album.user.user_id)}
              className="underline-offset-4 hover:text-accent hover:underline"
            >
              {say('by', { name: album.user.username })}
            </Link>
          </>
        )}
      </p>
      {album.description && (
        <p lang={album.lang} className="max-w-prose text-sm whitespace-pre-line">
          {album.description}
        </p>
      )}
      <ObjectActions section="album" id={id} title={album.title} votes={album.statistics} />

      <Gallery key={id} title={album.title} photos={album.photos} />
      {album.models.length > 0 && (
        <Row
          label={t('nav.models')}
          links={album.models.map(({ dir, title }) => [paths.model(dir), title, false])}
        />
      )}
      <div className="min-h-60 border-t border-line pt-6">
        <Comments subject={{ section: 'album', id, ownerId: album.user_id }} />
      </div>
    </article>
  );
}
