/** All of an album's pictures side by side. Each opens in full size. */
import { useRef, useState } from 'react';
import { useModerateText } from '@/i18n/moderate';
import { deferred } from '@/lib/deferred';
import type { Upload } from './queries';

const Lightbox = deferred(() => import('@/shared/lightbox/lightbox'));

export function Pictures({ upload: { upload, frames } }: { upload: Upload }) {
  const say = useModerateText();
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <ul
        ref={list}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-2"
      >
        {frames.map((frame, at) => (
          <li key={frame}>
            <button
              type="button"
              className="block w-full cursor-zoom-in rounded-control bg-raised"
              onClick={() => setOpen(at)}
            >
              <img
                src={frame}
                alt={say('picture', { number: at + 1, total: frames.length })}
                loading="lazy"
                // The picture isn't cropped, because moderators must see all of it.
                className="aspect-square w-full object-contain"
              />
            </button>
          </li>
        ))}
      </ul>
      {open !== null && (
        <Lightbox
          title={upload.title}
          pictures={frames.map((src) => ({ src, thumb: src, width: null, height: null }))}
          index={open}
          onShow={setOpen}
          onClose={() => setOpen(null)}
          onClosed={(last) => {
            list.current?.querySelectorAll('button')[last]?.focus();
          }}
        />
      )}
    </>
  );
}
