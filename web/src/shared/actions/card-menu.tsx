/** The corner of a card: a button, and what it opens. Drawn over the poster, so nothing moves when it comes. */
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { VideoCard } from '@/api/types';
import { cn } from '@/lib/cn';
import { ActionIcon } from './icons';
import { useActionText } from '@/i18n/actions';

const CardMenuPanel = lazy(() => import('./card-menu-panel'));

export default function CardMenu({ video }: { video: VideoCard }) {
  const say = useActionText();
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: Event) => {
      // Dialogs it opens stand elsewhere in the document.
      const inDialog = target instanceof Element && target.closest('[role=dialog]') !== null;
      if (!inDialog && !root.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={root} className={cn('absolute end-1 top-1', open ? 'z-20' : 'z-2')}>
      <button
        ref={button}
        type="button"
        aria-label={say('more', { title: video.title })}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpen(!open);
        }}
        className={cn(
          'grid size-9 place-items-center rounded-full bg-black/70 text-white transition-opacity focus-visible:opacity-100 pointer-coarse:touch',
          // Where there is a mouse it shows with the card it belongs to.
          !open && 'pointer-fine:opacity-0 pointer-fine:group-hover/card:opacity-100',
        )}
      >
        <ActionIcon name="more" size={20} />
      </button>
      {open && (
        <Suspense>
          <CardMenuPanel id={id} video={video} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
