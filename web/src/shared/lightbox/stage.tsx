/** One picture in the middle of the window. A swipe leads to the next. */
import { useRef, useState, type PointerEvent } from 'react';
import { useAlbumText } from '@/i18n/album';
import { swiped } from './places';

export interface Picture {
  src: string;
  /** A smaller version, which is shown while `src` loads. */
  thumb: string;
  /** The original's width in pixels, or null if it is unknown. */
  width: number | null;
  height: number | null;
}

interface Props {
  picture: Picture;
  alt: string;
  onSwipe: (by: -1 | 1) => void;
}

export function Stage({ picture: { src, thumb, width, height }, alt, onSwipe }: Props) {
  const say = useAlbumText();
  const start = useRef<{ id: number; x: number; y: number } | null>(null);
  const [shift, setShift] = useState(0);
  const [state, setState] = useState<'waiting' | 'loaded' | 'failed'>('waiting');
  const end = () => {
    start.current = null;
    setShift(0);
  };
  return (
    <div
      className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] touch-pan-y touch-pinch-zoom place-items-center overflow-hidden px-2 select-none md:px-20"
      onPointerDown={({ pointerType, pointerId, clientX, clientY, isPrimary }) => {
        // A second finger, or moving around a zoomed picture, is not a swipe.
        const isZoomed = (visualViewport?.scale ?? 1) > 1.01;
        if (!isPrimary || isZoomed) end();
        else if (pointerType !== 'mouse') {
          start.current = { id: pointerId, x: clientX, y: clientY };
        }
      }}
      onPointerMove={({ pointerId, clientX }: PointerEvent) => {
        if (start.current?.id === pointerId) setShift(clientX - start.current.x);
      }}
      onPointerUp={({ pointerId, clientX, clientY }) => {
        const { current } = start;
        end();
        if (current?.id !== pointerId) return;
        const by = swiped(clientX - current.x, clientY - current.y);
        if (by !== 0) onSwipe(by);
      }}
      onPointerCancel={end}
    >
      {state === 'failed' ? (
        <p role="alert">{say('notLoaded')}</p>
      ) : (
        <img
          src={src}
          alt={alt}
          draggable={false}
          onError={() => setState('failed')}
          onLoad={() => setState('loaded')}
          className="size-full bg-contain bg-center bg-no-repeat object-contain"
          style={{
            // The picture is never enlarged beyond its original size.
            maxWidth: width ?? undefined,
            maxHeight: height ?? undefined,
            // The background is set only while loading, because it would show through transparent pictures.
            backgroundImage: state === 'waiting' ? `url(${JSON.stringify(thumb)})` : undefined,
            translate: shift === 0 ? undefined : `${String(shift)}px 0`,
          }}
        />
      )}
    </div>
  );
}
