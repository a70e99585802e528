import { useLayoutEffect, useRef } from 'react';
import type { AdPlace, AdSlot } from '@/lib/ads';
import { useOffersText } from '@/i18n/offers';
import { useVisitor } from '@/lib/visitor';
import { filled, sizeOf } from './frame';

interface Props {
  place: AdPlace;
  shape: keyof AdSlot;
  template: string;
  /** The id of the video's channel. */
  vda: string | null;
}

/** A labeled frame that has no access to this site. It is scaled down if space is limited. */
export default function Ad({ place, shape, template, vda }: Props) {
  const say = useOffersText();
  const { lang } = useVisitor();
  const room = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const { width, height } = sizeOf(place, shape);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      if (frame.current && entry)
        frame.current.style.scale = String(entry.contentRect.width / width);
    });
    if (room.current) watcher.observe(room.current);
    return () => watcher.disconnect();
  }, [width]);
  const address = filled(template, { width, height, lang, vda: vda ?? '' });
  return (
    <div className="mx-auto" style={{ maxWidth: width }}>
      <p className="pb-1 text-xs text-muted">{say('ad')}</p>
      <div ref={room} style={{ aspectRatio: width / height }} className="overflow-hidden bg-raised">
        <iframe
          // If the same frame changed its address, this would add a history entry.
          key={address}
          ref={frame}
          title={say('ad')}
          src={address}
          width={width}
          height={height}
          // Without allow-same-origin, the frame has an opaque origin: it has none of our cookies or storage, and no access to this page.
          sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="strict-origin"
          loading="lazy"
          className="origin-top-left border-0"
        />
      </div>
    </div>
  );
}
