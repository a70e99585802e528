/** Shows the video and ten of its frames. */
import { useRef } from 'react';
import { useModerateText } from '@/i18n/moderate';
import { clock } from '@/shared/actions/share-links';
import { AudioChoice } from './audio-choice';
import type { Upload } from './queries';

export function Film({ upload: { upload, file, frames, duration } }: { upload: Upload }) {
  const say = useModerateText();
  const video = useRef<HTMLVideoElement>(null);
  const list = file?.video_url.find(({ type }) => type === 'hls');
  const source = file?.video_url.find(({ type }) => type === 'mp4');
  return (
    <div className="flex flex-col gap-2">
      {source && (
        // Not every video has captions.
        // eslint-disable-next-line jsx-a11y/media-has-caption
        <video
          ref={video}
          controls
          preload="metadata"
          playsInline
          src={source.url}
          poster={upload.thumb ?? undefined}
          aria-label={`${upload.title}, ${clock(duration)}`}
          className="aspect-video max-h-[60dvh] w-full rounded-card bg-black"
        >
          {file?.captions.map(({ kind, lang, label, src }) => (
            <track key={src} kind={kind} srcLang={lang} label={label} src={src} />
          ))}
        </video>
      )}
      {file && list && file.audio.length > 1 && (
        <AudioChoice video={video} list={list.url} tracks={file.audio} />
      )}
      <ul className="grid grid-cols-5 gap-1">
        {frames.map((frame, at) => (
          <li key={frame}>
            <a href={frame} target="_blank" rel="noreferrer" className="block">
              <img
                src={frame}
                alt={say('frame', { number: at + 1, total: frames.length })}
                loading="lazy"
                className="aspect-video w-full rounded-control object-cover"
              />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
