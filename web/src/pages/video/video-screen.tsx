import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { GoneVideo, Video } from '@/api/types';
import { paths } from '@/shared/address/paths';
import type { Watching } from '@/shared/address/route';
import { useMe } from '@/shared/account/use-me';
import { useVotes } from '@/shared/actions/use-votes';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { cn } from '@/lib/cn';
import { fullDate, likedPercent } from '@/lib/format';
import { isNotFound } from '@/lib/http';
import { useTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import { AdSpot } from '@/shared/ads/ad-spot';
import { useBusiness } from '@/shared/ads/use-business';
import { ActionRow, Toggle } from '@/shared/actions/toggle';
import { secondsOf } from '@/shared/history/stored';
import { filmFailure } from '@/shared/player/film';
import { enterStage, leaveStage, player, watch } from '@/shared/player/now-playing';
import { Icon } from '@/ui/icons';
import { LangText } from '@/ui/lang-text';
import { LoadError } from '@/ui/problem';
import { videoQuery } from './queries';
import { Chapters } from './chapters';
import { Credits } from './credits';
import { Description } from './description';
import { EmbedBox } from './embed-box';
import { Related } from './related';
import { Sponsor } from './sponsor';
import { isWhole, videoStatus } from './status';
import { useTheatre } from './theatre';
import { VideoProblem } from './video-problem';

const ShareDialog = deferred(() => import('@/shared/actions/share-dialog'));
const VideoActions = lazy(() => import('@/shared/actions/video-actions'));
const PlaylistStrip = deferred(() => import('./playlist-strip'));
const Trending = deferred(() => import('./trending'));
const Elsewhere = deferred(() => import('./elsewhere'));
const Comments = deferred(() => import('@/shared/comments/comments'));

/** The box that holds the player: 16:9, and never taller than most of the window. */
const stage = 'mx-auto aspect-video max-h-[78dvh] w-full overflow-hidden bg-black sm:rounded-card';

type Props = { id: number } & Watching;

export default function VideoScreen({ id, ...watching }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const isWide = useTheatre();
  const slot = useRef<HTMLDivElement>(null);
  const { ads, offers } = useBusiness();
  const { data, error, refetch } = useQuery(videoQuery(id, lang));
  useLayoutEffect(() => {
    if (!slot.current) return;
    enterStage(slot.current, id);
    return leaveStage;
  }, [id]);
  const missing = isNotFound(error);
  useEffect(() => {
    if (missing) navigate(paths.notFound, { replace: true });
  }, [missing]);
  const video = data?.video;
  useTitle(video && (isWhole(video) ? video.title : t('video.gone')));
  if (missing) return null;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  const { playlist } = watching;
  return (
    <div className="mx-auto grid max-w-[1760px] gap-x-8 sm:px-6 sm:pt-6 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
      <div className={cn('min-w-0', isWide && 'xl:col-span-2')}>
        {playlist && (
          // The placeholder has the same height as the strip.
          <div className="min-h-37 sm:min-h-40">
            <PlaylistStrip place={playlist} videoId={id} />
          </div>
        )}
        <div className={cn(stage, 'relative')}>
          {video && isWhole(video) && <Film video={video} {...watching} />}
          {video && !isWhole(video) && <Gone video={video} />}
          <div ref={slot} className="absolute inset-0 empty:hidden" />
        </div>
      </div>
      <div className="min-w-0 xl:row-start-2">
        {!video && <Loading />}
        {video && isWhole(video) && (
          <>
            {ads && (
              <div className="px-4 pt-4 empty:hidden sm:px-0">
                <Sponsor ads={ads} channel={video.channel} />
              </div>
            )}
            <About video={video} />
            {offers && <Elsewhere {...offers} />}
          </>
        )}
      </div>
      <aside
        className={cn(
          'related-list min-w-0 px-4 pt-10 sm:px-0 xl:col-start-2',
          isWide ? 'xl:row-start-2 xl:pt-5' : 'xl:row-span-2 xl:row-start-1 xl:pt-0',
        )}
      >
        {ads && <AdSpot place="related" className="pb-6" />}
        {offers?.trending && (
          <div className="min-h-11 pb-4">
            {video && isWhole(video) && <Trending categories={video.categories} />}
          </div>
        )}
        <Related id={id} />
      </aside>
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <div className="flex flex-col gap-3 px-4 pt-5 sm:px-0">
        <div className="skeleton h-7 w-2/3 rounded-control" />
        <div className="skeleton h-5 w-1/3 rounded-control" />
      </div>
    </div>
  );
}

function Gone({ video }: { video: GoneVideo }) {
  const t = useT();
  const me = useMe();
  const status = videoStatus(video);
  // The viewer is already logged in and still has no access, so logging in would not help.
  const isHidden = status === 'active' || (status === 'private' && me);
  return (
    <>
      <h1 className="sr-only">{t('video.gone')}</h1>
      <VideoProblem status={isHidden ? 'not-found' : status} />
    </>
  );
}

/** The player belongs to the app, so that it continues when the visitor leaves the page. Until it loads, the poster is shown here. */
function Film({ video, startTime, autoplay, playlist }: { video: Video } & Watching) {
  const { id, page } = playlist ?? { id: 0, page: 0 };
  useEffect(() => {
    if (video.embed) return;
    watch({ video, startTime, autoplay, playlist: id ? { id, page } : null });
  }, [video, startTime, autoplay, id, page]);
  const failure = filmFailure.useValue();
  if (video.embed) return <EmbedBox title={video.title} src={video.embed} />;
  if (failure) {
    return <LoadError error={failure} onRetry={() => location.reload()} />;
  }
  return <img src={video.img} alt="" className="size-full object-contain" />;
}

function About({ video }: { video: Video }) {
  // A player of another site can't be started at a time.
  const film = video.embed
    ? undefined
    : { href: paths.video(video), seconds: secondsOf(video.duration) };
  return (
    <article>
      <div className="flex flex-col gap-5 px-4 pt-5 sm:px-0">
        <h1 className="text-xl leading-snug font-semibold tracking-tight text-balance lg:text-2xl">
          <LangText lang={video.title_lang}>{video.title}</LangText>
        </h1>
        <Facts video={video} />
        <Credits video={video} />
        {video.description && <Description text={video.description} film={film} />}
        {film && video.chapters.length > 0 && <Chapters video={video} href={film.href} />}
        <div className="min-h-60 border-t border-line pt-6">
          <Comments
            subject={{
              section: 'video',
              id: video.video_id,
              ownerId: video.user_id,
              ownerOnly: video.is_private,
              film,
            }}
          />
        </div>
      </div>
    </article>
  );
}

function Facts({ video }: { video: Video }) {
  const t = useT();
  const { lang } = useVisitor();
  const [sharedAt, setSharedAt] = useState<number | null>(null);
  const { viewed } = video.statistics;
  const { likes, dislikes } = useVotes('video', video.video_id, video.statistics).votes;
  const share = (
    <Toggle
      opens="dialog"
      icon={<Icon name="share" size={18} />}
      word={t('share.title')}
      onClick={() => setSharedAt(player.current?.currentTime ?? 0)}
    />
  );
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-3">
      <p className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-muted">
        <span className="font-medium text-ink">{t('count.views', { count: viewed })}</span>
        <time dateTime={video.post_date}>{fullDate(video.post_date, lang)}</time>
        {likes + dislikes > 0 && (
          <span>{t('video.liked', { percent: likedPercent(likes, dislikes, lang) })}</span>
        )}
      </p>
      {/* The placeholder has the same height as the row itself. */}
      <Suspense fallback={<ActionRow long>{share}</ActionRow>}>
        <VideoActions video={video}>{share}</VideoActions>
      </Suspense>
      {sharedAt !== null && (
        <ShareDialog video={video} time={sharedAt} onClose={() => setSharedAt(null)} />
      )}
    </div>
  );
}
