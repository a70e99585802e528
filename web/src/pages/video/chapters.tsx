/** The chapters of a video as links that play it from there. The current one is marked. */
import { useEffect, useId, useState } from 'react';
import type { Video } from '@/api/types';
import { useT } from '@/i18n';
import { section } from '@/lib/title';
import { clock } from '@/shared/actions/share-links';
import { player } from '@/shared/player/now-playing';
import { TimeLink } from '@/shared/player/timed-text';

interface Props {
  video: Video;
  /** The address of the video's page. */
  href: string;
}

export function Chapters({ video, href }: Props) {
  const t = useT();
  const id = useId();
  const { chapters, chapters_lang } = video;
  const current = useCurrent(chapters);
  return (
    <section aria-labelledby={id} className="max-w-prose">
      <h2 id={id} className={section}>
        {t('video.chapters')}
      </h2>
      <ol lang={chapters_lang} className="-mx-2 mt-2 max-h-64 overflow-y-auto">
        {chapters.map(({ start, title }, index) => (
          <li key={start}>
            <TimeLink
              href={href}
              at={start}
              aria-current={index === current}
              className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 text-sm -outline-offset-2 hover:bg-raised aria-[current=true]:bg-raised aria-[current=true]:font-semibold"
            >
              <span className="w-14 shrink-0 font-normal text-accent tabular-nums">
                {clock(start)}
              </span>
              <span className="min-w-0 wrap-anywhere">{title}</span>
            </TimeLink>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns the index of the chapter that is playing, or -1 before the video has started. */
function useCurrent(chapters: Video['chapters']): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    // The element is created later, and media events don't bubble, so this listens in the capture phase.
    const note = ({ target }: Event) => {
      const video = player.current;
      if (!video || target !== video) return;
      setCurrent(chapters.findLastIndex(({ start }) => start <= video.currentTime));
    };
    const events = ['playing', 'seeking', 'timeupdate'];
    for (const type of events) document.addEventListener(type, note, true);
    return () => {
      for (const type of events) document.removeEventListener(type, note, true);
    };
  }, [chapters]);
  return current;
}
