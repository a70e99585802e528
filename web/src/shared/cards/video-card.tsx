import { Fragment, memo, useRef, useState, type FocusEvent, type PointerEvent } from 'react';
import { Link } from 'wouter';
import type { VideoCard as Card } from '@/api/types';
import { paths } from '@/shared/address/paths';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { abbreviate, age, fullDate, ratingPercent, sharePercent } from '@/lib/format';
import { highlightParts } from '@/lib/highlight';
import { PHONE, useMedia } from '@/lib/use-media';
import { useVisitor } from '@/lib/visitor';
import { useProgress } from '@/shared/history/progress';
import { Icon, type IconName } from '@/ui/icons';
import { LangText } from '@/ui/lang-text';

const CardPreview = deferred(() => import('./card-preview'));
const CardMenu = deferred(() => import('@/shared/actions/card-menu'));

/** How long, in ms, a touch must last to show the preview. A shorter touch opens the video. */
const LONG_PRESS_MS = 350;
/** The server uses the same value to preload the first pictures (`site/src/document.rs`). */
const WIDTHS = '(width >= 40rem) 320px, 44vw';

interface Props {
  video: Card;
  /** Whether the card is in the first row and loads at once. Other cards load as they come near the window. */
  eager?: boolean;
  /** The displayed width, if it differs from that in a list. */
  sizes?: string | undefined;
  /** Whether the video was posted after the visitor last viewed the list. */
  isNew?: boolean;
  /** The position in the list, from 0. */
  index?: number;
  onOpen?: ((video: Card, index: number) => void) | undefined;
}

/** This is memoized, because a list renders several times while it loads. */
export const VideoCard = memo(function VideoCard(props: Props) {
  const { video, eager = false, sizes = WIDTHS, isNew, index = 0, onOpen: tell } = props;
  const onOpen = tell && (() => tell(video, index));
  const href = paths.listed(video);
  const t = useT();
  const { lang } = useVisitor();
  const watched = useProgress(video.video_id);
  const names = namesOf(video).slice(0, 2);
  const [isFocused, setIsFocused] = useState(false);
  const isPhone = useMedia(PHONE);
  return (
    <article className="group/card relative flex flex-col gap-2.5">
      <div className="relative">
        <Poster {...{ video, eager, sizes, href, watched, focused: isFocused, onOpen }} />
        {!isPhone && (
          <div className="absolute end-1 top-1 z-2 has-aria-expanded:z-20">
            <CardMenu video={video} />
          </div>
        )}
      </div>
      {/* Each line has a fixed position, so that lines align across a row. Skeletons have the same lines. */}
      <div className="flex flex-col gap-1">
        <div className="flex h-[2.6em] gap-1 text-[13px] leading-[1.3] sm:text-sm sm:leading-[1.3]">
          <h3 className="line-clamp-2 min-w-0 flex-1 font-medium text-pretty">
            {/* The whole card is a link target, except for the names below. */}
            <Link
              href={href}
              onClick={onOpen}
              onFocus={({ target }: FocusEvent) => setIsFocused(target.matches(':focus-visible'))}
              onBlur={() => setIsFocused(false)}
              className="after:absolute after:inset-0 after:content-[''] group-hover/card:text-accent"
            >
              <LangText lang={video.title_lang}>
                <Title video={video} />
              </LangText>
            </Link>
          </h3>
          {isPhone && (
            <div className="relative z-2 -mt-2 -me-2 w-9 shrink-0">
              <CardMenu video={video} />
            </div>
          )}
        </div>
        <p className="h-5 truncate text-xs leading-5 text-muted">
          {video.chapter ? (
            <LangText lang={video.chapter.lang}>
              {`${video.chapter.time} ${video.chapter.title}`}
            </LangText>
          ) : (
            names.map(({ to, title }, index) => (
              <Fragment key={to}>
                {index > 0 && ', '}
                <Link href={to} className="relative hover:text-ink hover:underline">
                  {title}
                </Link>
              </Fragment>
            ))
          )}
        </p>
        <p className="flex gap-1.5 overflow-hidden text-xs leading-5 whitespace-nowrap text-muted sm:gap-2">
          {isNew && <span className="font-semibold text-accent">{t('card.new')}</span>}
          <Figure icon="eye" name={t('card.views')} value={abbreviate(video.video_viewed, lang)} />
          {/* Without votes there is no rating. */}
          {video.rating > 0 && (
            <Figure icon="like" name={t('card.rating')} value={ratingPercent(video.rating, lang)} />
          )}
          {watched > 0 && (
            <span className="sr-only">
              {t('card.watched', { percent: sharePercent(watched, lang) })}
            </span>
          )}
          <time
            dateTime={video.post_date}
            title={fullDate(video.post_date, lang)}
            className="relative truncate"
          >
            {age(video.post_date, lang, undefined, isPhone)}
          </time>
        </p>
      </div>
    </article>
  );
});

/** Returns a video's models or, if it has none, its categories. */
function namesOf({ models, categories }: Card): { to: string; title: string }[] {
  return models.length > 0
    ? models.map(({ dir, title }) => ({ to: paths.model(dir), title }))
    : categories.map(({ dir, title }) => ({ to: paths.category(dir), title }));
}

function Figure({ icon, name, value }: { icon: IconName; name: string; value: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Icon name={icon} size={14} />
      <span className="sr-only">{name}</span>
      {value}
    </span>
  );
}

function Title({ video }: { video: Card }) {
  const marked = video._formatted?.title;
  if (!marked) return video.title;
  return highlightParts(marked).map((part, index) =>
    part.marked ? <mark key={index}>{part.text}</mark> : part.text,
  );
}

interface PosterProps extends Pick<Props, 'video'> {
  onOpen: (() => void) | undefined;
  eager: boolean;
  sizes: string;
  href: string;
  focused: boolean;
  /** The share of the video that was watched. */
  watched: number;
}

function Poster({ video, eager, sizes, href, focused, watched, onOpen }: PosterProps) {
  const t = useT();
  const [preview, setPreview] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = (event: PointerEvent) => {
    const delay = event.pointerType === 'mouse' ? 0 : LONG_PRESS_MS;
    timer.current = setTimeout(() => setPreview(true), delay);
  };
  const stop = () => {
    clearTimeout(timer.current);
    setPreview(false);
  };
  return (
    <Link
      href={href}
      tabIndex={-1}
      aria-hidden="true"
      onClick={onOpen}
      onPointerEnter={start}
      onPointerLeave={stop}
      onPointerCancel={stop}
      className="relative z-1 block aspect-video overflow-hidden rounded-card bg-raised"
    >
      {/* Without a picture, the box stays empty, because an empty `src` would request the page. */}
      {video.thumb && (
        <img
          src={video.thumb}
          srcSet={`${video.thumb} 320w, ${video.thumbsrc} 640w`}
          sizes={sizes}
          width={320}
          height={180}
          alt=""
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          className="size-full object-cover"
        />
      )}
      {(preview || focused) && <CardPreview video={video} />}
      {video.is_uncensored && (
        <span className="absolute start-2 top-2 max-w-[calc(100%-16px)] truncate rounded-md bg-black/75 px-1.5 py-0.5 text-[11px] leading-4 font-semibold text-white">
          {t('card.uncensored')}
        </span>
      )}
      <span className="absolute inset-x-2 bottom-2 flex items-center justify-end gap-1 text-[11px] leading-4 font-semibold text-white tabular-nums">
        {video.is_hd && <span className={badge}>HD</span>}
        <span className={badge}>{video.duration}</span>
      </span>
      {watched > 0 && (
        <span className="absolute inset-x-0 bottom-0 h-1 bg-surface">
          <span className="block h-full bg-accent" style={{ width: `${String(watched * 100)}%` }} />
        </span>
      )}
    </Link>
  );
}

const badge = 'rounded-md bg-black/75 px-1.5 py-0.5';
