/** Videos related to the last watched one. The block is below the fold, so that nothing visible shifts when it loads. */
import { useQuery } from '@tanstack/react-query';
import { useT } from '@/i18n';
import { useVisitor } from '@/lib/visitor';
import { useUnmuted } from '@/search/unmuted';
import { VideoShelf } from './video-shelf';
import { useLastWatched } from '@/shared/history/continued';
import type { OwnVideo } from '@/shared/queries/own-lists';
import { relatedQuery } from '@/shared/queries/related';

export function BecauseBlock() {
  const last = useLastWatched();
  return last ? <Because last={last} /> : null;
}

function Because({ last }: { last: OwnVideo }) {
  const t = useT();
  const { lang } = useVisitor();
  const { data } = useQuery(useUnmuted(relatedQuery(last.video_id, 1, lang)));
  if (!data || data.videos.length === 0) return null;
  return (
    <VideoShelf
      id="home-because"
      heading={t('home.because', { title: last.title })}
      videos={data.videos}
    />
  );
}
