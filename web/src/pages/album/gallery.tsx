/** An album's photos, each of which opens in full size. */
import { useRef } from 'react';
import type { Schema } from '@/api/call';
import { useCommunityText } from '@/i18n/community';
import { deferred } from '@/lib/deferred';
import { hashOf } from '@/shared/lightbox/places';
import { useOpened } from '@/shared/lightbox/use-opened';

const loadLightbox = () => import('@/shared/lightbox/lightbox');
const Lightbox = deferred(loadLightbox);

/** How many photos are above the fold and loaded eagerly. */
const FIRST = 4;

/** Runs a function after the browser has restored the scroll position, which takes a frame longer when going back. */
const afterScroll = (then: () => void) => {
  requestAnimationFrame(() => requestAnimationFrame(then));
};

interface Props {
  title: string;
  photos: Schema<'Photo'>[];
}

export function Gallery({ title, photos }: Props) {
  const say = useCommunityText();
  const list = useRef<HTMLUListElement>(null);
  const { index, show, close } = useOpened(photos.length);
  return (
    <>
      <ul
        ref={list}
        className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]"
      >
        {photos.map((photo, at) => (
          // A photo may appear twice in an album.
          <li key={at} className="overflow-hidden rounded-card bg-raised">
            <a
              href={hashOf(at)}
              className="block cursor-zoom-in focus-visible:-outline-offset-4"
              onPointerEnter={() => void loadLightbox()}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                show(at);
              }}
            >
              <img
                src={photo.src}
                alt={say('photo', { number: at + 1 })}
                width={photo.width}
                height={photo.height}
                loading={at < FIRST ? 'eager' : 'lazy'}
                decoding="async"
                // The tile is cropped. Opening a photo shows all of it.
                className="aspect-[4/3] w-full object-cover"
              />
            </a>
          </li>
        ))}
      </ul>
      {index !== null && (
        <Lightbox
          title={title}
          pictures={photos.map(({ large, thumb, width, height }) => ({
            src: large,
            thumb,
            width,
            height,
          }))}
          index={index}
          onShow={show}
          onClose={close}
          onClosed={(last) =>
            afterScroll(() => list.current?.querySelectorAll<HTMLElement>('a')[last]?.focus())
          }
        />
      )}
    </>
  );
}
