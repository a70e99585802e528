import { useLayoutEffect, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { TimedText, type TimedFilm } from '@/shared/player/timed-text';

/** The height above which a description is folded. */
const FOLDED_PX = 20;

interface Props {
  text: string;
  film: TimedFilm | undefined;
}

export function Description({ text, film }: Props) {
  const t = useT();
  const box = useRef<HTMLParagraphElement>(null);
  const [tall, setTall] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    const watcher = new ResizeObserver(() => setTall(node.scrollHeight > FOLDED_PX + 1));
    watcher.observe(node);
    // A folded link must not have the focus.
    const unfold = () => setOpen(true);
    node.addEventListener('focusin', unfold);
    return () => {
      watcher.disconnect();
      node.removeEventListener('focusin', unfold);
    };
  }, [text]);
  return (
    <div className="max-w-prose">
      <p
        ref={box}
        className={cn(
          'text-sm leading-5 whitespace-pre-line text-muted',
          !open && 'h-5 overflow-hidden',
        )}
      >
        <TimedText text={text} film={film} />
      </p>
      {tall && (
        <button
          type="button"
          aria-expanded={open}
          className="touch mt-1 text-sm font-semibold hover:text-accent"
          onClick={() => setOpen(!open)}
        >
          {open ? t('video.less') : t('video.more')}
        </button>
      )}
    </div>
  );
}
