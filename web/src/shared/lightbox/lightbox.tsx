/** Shows pictures in the full window. This module is loaded when the first picture is opened. */
import * as Dialog from '@radix-ui/react-dialog';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useT } from '@/i18n';
import { useAlbumText } from '@/i18n/album';
import { cn } from '@/lib/cn';
import { Icon } from '@/ui/icons';
import { placeAfter } from './places';
import { Stage, type Picture } from './stage';

interface Props {
  /** The title of the album that the pictures belong to. */
  title: string;
  pictures: readonly Picture[];
  /** The open picture's index, from 0. */
  index: number;
  onShow: (index: number) => void;
  onClose: () => void;
  /** Called after closing, to move the focus to the last viewed picture on the page. */
  onClosed: (index: number) => void;
}

const round =
  'grid size-12 place-items-center rounded-full bg-black/60 text-white transition-colors hover:bg-black/80 focus-visible:outline-white aria-disabled:opacity-30';

export default function Lightbox({ title, pictures, index, onShow, onClose, onClosed }: Props) {
  const t = useT();
  const say = useAlbumText();
  const content = useRef<HTMLDivElement>(null);
  const picture = pictures[index];
  const total = pictures.length;
  const place = say('photoOf', { number: index + 1, total });
  const go = (to: number | null) => {
    if (to !== null) onShow(to);
  };
  useEffect(() => {
    // Preload the neighbors.
    for (const near of [pictures[index + 1], pictures[index - 1]]) {
      if (near) new Image().src = near.src;
    }
  }, [pictures, index]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, index, total);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onShow(to);
  };
  const step = (key: 'ArrowLeft' | 'ArrowRight') => {
    const to = placeAfter(key, index, total);
    const isBack = key === 'ArrowLeft';
    return (
      <button
        type="button"
        aria-label={say(isBack ? 'previousPhoto' : 'nextPhoto')}
        // This isn't `disabled`, which would lose the focus.
        aria-disabled={to === null}
        onClick={() => go(to)}
        className={cn(
          round,
          'md:absolute md:top-1/2 md:-translate-y-1/2',
          isBack ? 'md:start-4' : 'md:end-4',
        )}
      >
        <Icon name={isBack ? 'left' : 'right'} size={24} />
      </button>
    );
  };
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black" />
        <Dialog.Content
          ref={content}
          data-lightbox
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed(index);
          }}
          className="fixed inset-0 z-50 flex animate-[appear_120ms] flex-col bg-black text-white outline-none"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <div className="flex items-center justify-between gap-3 ps-4 pe-2 pt-[env(safe-area-inset-top)]">
            <p className="min-w-0 truncate text-sm" aria-hidden="true">
              {title}
            </p>
            <Dialog.Close
              aria-label={t('action.close')}
              className="grid size-12 shrink-0 place-items-center rounded-control text-white hover:bg-white/15 focus-visible:outline-white"
            >
              <Icon name="close" size={24} />
            </Dialog.Close>
          </div>
          {picture && (
            <Stage
              key={index}
              picture={picture}
              alt={`${title}: ${place}`}
              onSwipe={(by) => go(placeAfter(by > 0 ? 'ArrowRight' : 'ArrowLeft', index, total))}
            />
          )}
          <div className="flex min-h-12 items-center justify-between gap-4 px-4 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))] md:justify-center md:pb-4">
            {step('ArrowLeft')}
            <p role="status" className="text-sm tabular-nums">
              {place}
            </p>
            {step('ArrowRight')}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
