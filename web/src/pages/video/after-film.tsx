/** The overlay at the end of a video. It offers the playlist's next video, or related videos. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { VideoCard } from '@/api/types';
import { useT } from '@/i18n';
import { usePlayerText } from '@/i18n/player';
import { useVisitor } from '@/lib/visitor';
import { paths } from '@/shared/address/paths';
import { Button, button } from '@/ui/button';
import { MemberIcon } from '@/ui/member-icons';
import { useUnmuted } from '@/search/unmuted';
import { relatedQuery } from '@/shared/queries/related';
import { neighbours, usePlaylist, type Place } from './use-playlist';

/** How long the countdown to the next video lasts, in seconds. */
const WAIT_S = 20;
const SHOWN = 6;

interface Props {
  id: number;
  playlist: Place | null;
  onReplay: () => void;
}

export default function AfterFilm({ id, playlist, onReplay }: Props) {
  return playlist ? (
    <InPlaylist id={id} playlist={playlist} onReplay={onReplay} />
  ) : (
    <Suggestions id={id} onReplay={onReplay} />
  );
}

function InPlaylist({ id, playlist, onReplay }: Props & { playlist: Place }) {
  const { list, entries } = usePlaylist(playlist);
  const [isCalledOff, setIsCalledOff] = useState(false);
  const cancelNext = useCallback(() => setIsCalledOff(true), []);
  const { current, next } = neighbours(entries, id);
  const { hasNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (current && !next && hasNextPage) void fetchNextPage();
  }, [current, next, hasNextPage, fetchNextPage]);
  if (!next || isCalledOff) return <Suggestions id={id} onReplay={onReplay} />;
  return <Next video={next.video} href={paths.listed(next.video)} onCancel={cancelNext} />;
}

const isTyping = () =>
  document.activeElement instanceof HTMLElement &&
  document.activeElement.matches('input, textarea, [contenteditable]');

interface NextProps {
  video: VideoCard;
  href: string;
  onCancel: () => void;
}

function Next({ video, href, onCancel }: NextProps) {
  const say = usePlayerText();
  const [left, setLeft] = useState(WAIT_S);
  useEffect(() => {
    const due = Date.now() + WAIT_S * 1000;
    const timer = setInterval(() => {
      const seconds = Math.ceil((due - Date.now()) / 1000);
      setLeft(Math.max(0, seconds));
      if (seconds > 0) return;
      clearInterval(timer);
      // A comment that is being written would be lost.
      if (isTyping()) onCancel();
      else navigate(href);
    }, 1000);
    return () => clearInterval(timer);
  }, [href, onCancel]);
  return (
    <div className="lantern-after">
      <p className="sr-only" role="status">
        {`${say('nextVideo')}: ${video.title}`}
      </p>
      <p className="text-sm tabular-nums" role="timer">
        {say('nextIn', { count: left })}
      </p>
      <div className="lantern-next">
        <Still video={video} />
        <p className="line-clamp-2 text-sm font-semibold">{video.title}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="plain" className="min-h-11" onClick={onCancel}>
          {say('cancel')}
        </Button>
        <Link href={href} className={`${button.primary} min-h-11`}>
          {say('playNow')}
        </Link>
      </div>
    </div>
  );
}

function Suggestions({ id, onReplay }: Pick<Props, 'id' | 'onReplay'>) {
  const t = useT();
  const say = usePlayerText();
  const { lang } = useVisitor();
  const { data } = useQuery(useUnmuted(relatedQuery(id, 1, lang)));
  return (
    <div className="lantern-after">
      <Button look="plain" className="min-h-11" onClick={onReplay}>
        <MemberIcon name="again" />
        {say('replay')}
      </Button>
      {data && data.videos.length > 0 && (
        <ul aria-label={t('video.related')} className="lantern-suggestions">
          {data.videos.slice(0, SHOWN).map((video) => (
            <li key={video.video_id}>
              <Link href={paths.video(video)}>
                <Still video={video} />
                <span className="lantern-suggested line-clamp-2">{video.title}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const Still = ({ video }: { video: VideoCard }) =>
  video.thumb && (
    <img
      src={video.thumb}
      alt=""
      width={320}
      height={180}
      className="aspect-video w-full rounded-control object-cover"
    />
  );
