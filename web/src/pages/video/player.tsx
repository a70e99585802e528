import 'media-chrome/media-controller.js';
import 'media-chrome/media-control-bar.js';
import 'media-chrome/media-fullscreen-button.js';
import 'media-chrome/media-loading-indicator.js';
import 'media-chrome/media-mute-button.js';
import 'media-chrome/media-pip-button.js';
import 'media-chrome/media-play-button.js';
import 'media-chrome/media-time-display.js';
import 'media-chrome/media-time-range.js';
import 'media-chrome/media-volume-range.js';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { VideoFile } from '@/api/types';
import { useT } from '@/i18n';
import { usePlayerText } from '@/i18n/player';
import { deferred } from '@/lib/deferred';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { useIsMini } from '@/shared/player/now-playing';
import { Button } from '@/ui/button';
import { Icon, Shape } from '@/ui/icons';
import { CaptionSettings } from './caption-settings';
import { keyOf, useCaptions } from './captions';
import './player.css';
import { useChapterTrack, type Chapter } from './chapter-track';
import { PlayerSettings } from './player-settings';
import { translatePlayer } from './player-texts';
import { toggleTheatre, useTheatre } from './theatre';
import { useEnded, useSpeed } from './use-film-state';
import { usePlayerKeys } from './use-player-keys';
import type { Place } from './use-playlist';
import { useStream } from './use-stream';
import { useTaps } from './use-taps';

interface Props {
  title: string;
  poster: string;
  file: VideoFile;
  /** Fetches fresh links to the same video. */
  renew: () => Promise<VideoFile>;
  id: number;
  /** The start time in seconds. */
  startTime: number;
  /** Whether to autoplay if the browser allows it. */
  autoplay: boolean;
  chapters: readonly Chapter[];
  playlist: Place | null;
  /** A reference held by the page, which reads the current time from it. */
  video: RefObject<HTMLVideoElement | null>;
}

const AfterFilm = deferred(() => import('./after-film'));

export default function Player(props: Props) {
  const { id, title, poster, file, renew, startTime, autoplay, chapters, playlist, video } = props;
  const t = useT();
  const say = usePlayerText();
  const { lang } = useVisitor();
  const controller = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<'settings' | 'captions' | null>(null);
  const stream = useStream(video, file, startTime, renew);
  const isMini = useIsMini();
  const captions = useCaptions(video, file.captions, lang, stream.isBegun);
  const { toggle: toggleCaptions } = captions;
  usePlayerKeys(video, controller, !isMini, toggleCaptions);
  const jump = useTaps(video, controller, stream.isBegun);
  const speed = useSpeed(video);
  const isEnded = useEnded(video);
  const isWide = useTheatre();
  const play = () => {
    // Autoplay is blocked until the first interaction, so the play button remains.
    video.current?.play().catch(() => undefined);
  };
  const plays = useRef(autoplay);
  useEffect(() => {
    if (plays.current) void video.current?.play().catch(() => undefined);
    plays.current = false;
  }, [video]);
  const chapterTrack = useChapterTrack(chapters);
  translatePlayer(lang, say);
  return (
    <media-controller
      ref={controller}
      lang={lang}
      nohotkeys
      // Controls stay while their menu is open.
      autohide={menu ? '-1' : '3'}
      data-begun={stream.isBegun ? '' : undefined}
      data-caption-size={captions.look.size}
      data-caption-color={captions.look.color}
      aria-label={title}
      class="lantern-player"
    >
      {/* Not every video has captions. */}
      {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
      <video slot="media" ref={video} poster={poster} preload="none" playsInline>
        {chapters.length > 0 && <track ref={chapterTrack} default kind="chapters" />}
        {stream.isBegun && (
          <>
            <track default kind="metadata" label="thumbnails" src={stream.file.timeline.vtt} />
            {file.captions.map(({ kind, lang: spoken, label, src }) => (
              <track
                key={src}
                data-caption={keyOf({ kind, lang: spoken })}
                kind={kind}
                srcLang={spoken}
                label={label}
                src={src}
              />
            ))}
          </>
        )}
      </video>
      <media-loading-indicator slot="centered-chrome" />
      <media-play-button slot="centered-chrome" class="lantern-big-play" />
      {jump !== null && (
        <div
          aria-hidden="true"
          className="lantern-jump"
          data-side={jump < 0 ? 'left' : 'right'}
          {...{ noautohide: '' }}
        >
          <Icon name={jump < 0 ? 'left' : 'right'} size={28} />
          {`${formatNumber(Math.abs(jump), lang)} ${say('s')}`}
        </div>
      )}
      {isEnded && !isMini && (
        <div className="lantern-over" {...{ noautohide: '' }}>
          <AfterFilm id={id} playlist={playlist} onReplay={play} />
        </div>
      )}
      {stream.trouble && (
        // The message isn't a control, so it stays when the controls hide.
        <div role="alert" className="lantern-player-error" {...{ noautohide: '' }}>
          <p>{say(stream.trouble)}</p>
          <Button look="plain" onClick={() => void stream.again()}>
            {t('action.retry')}
          </Button>
        </div>
      )}
      <div className="lantern-controls">
        <media-time-range class="lantern-seek" />
        <media-control-bar>
          <media-play-button />
          <media-mute-button />
          <media-volume-range class="lantern-volume" />
          <media-time-display showduration notoggle />
          <span className="lantern-spacer" />
          {file.captions.length > 0 && (
            <CaptionSettings
              list={file.captions}
              captions={captions}
              open={menu === 'captions'}
              onOpen={(open) => setMenu(open ? 'captions' : null)}
            />
          )}
          <PlayerSettings
            video={video}
            speed={speed}
            heights={stream.heights}
            quality={stream.quality}
            height={stream.height}
            onQuality={stream.setQuality}
            tracks={file.audio}
            audio={stream.audio}
            onAudio={stream.setAudio}
            open={menu === 'settings'}
            onOpen={(open) => setMenu(open ? 'settings' : null)}
          />
          <media-pip-button class="lantern-pip" />
          <button
            type="button"
            className="lantern-theatre"
            aria-label={say('theatre')}
            aria-pressed={isWide}
            onClick={toggleTheatre}
          >
            <Shape d="M3 6h18v12H3zM8 10l-2 2 2 2M16 10l2 2-2 2" size={24} />
          </button>
          <media-fullscreen-button />
        </media-control-bar>
      </div>
    </media-controller>
  );
}
