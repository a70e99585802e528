/** Holds the player while a video is watched, on the video's page and on others. */
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { usePlayerText } from '@/i18n/player';
import { paths } from '@/shared/address/paths';
import type { Film } from '@/shared/player/film';
import { box, player, setCorner, stopFilm, useIsMini } from '@/shared/player/now-playing';
import { Icon } from '@/ui/icons';
import { PlayerBox } from './player-box';
import WatchRecorder from './watched';

export default function FilmHost({ film }: { film: Film }) {
  const say = usePlayerText();
  const isMini = useIsMini();
  const corner = useRef<HTMLDivElement>(null);
  const { video, startTime, autoplay, playlist } = film;
  useLayoutEffect(() => {
    setCorner(corner.current);
    return () => setCorner(null);
  }, []);
  return (
    <>
      <aside
        aria-label={say('mini')}
        hidden={!isMini}
        className="fixed inset-x-2 bottom-[calc(72px+env(safe-area-inset-bottom))] z-30 flex items-center overflow-hidden rounded-card border border-line bg-surface shadow-pop sm:inset-x-auto sm:end-4 sm:w-80 sm:flex-wrap lg:bottom-4"
      >
        <div
          ref={corner}
          className="lantern-corner aspect-video w-36 shrink-0 bg-black sm:w-full"
        />
        <Link
          href={playlist ? paths.playlistVideo(video, playlist) : paths.video(video)}
          className="line-clamp-2 min-w-0 flex-1 px-3 py-1 text-sm font-medium -outline-offset-2 hover:text-accent"
        >
          {video.title}
        </Link>
        <button
          type="button"
          aria-label={say('closeMini')}
          className="grid size-11 shrink-0 place-items-center text-muted -outline-offset-2 hover:text-ink"
          onClick={stopFilm}
        >
          <Icon name="close" />
        </button>
      </aside>
      {createPortal(
        <PlayerBox
          id={video.video_id}
          title={video.title}
          poster={video.img}
          startTime={startTime}
          autoplay={autoplay}
          chapters={video.chapters}
          playlist={playlist}
          video={player}
        />,
        box,
      )}
      <WatchRecorder video={video} player={player} startTime={startTime} />
    </>
  );
}
