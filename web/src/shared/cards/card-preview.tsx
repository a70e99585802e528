/** A card's hover preview. At first it shows ten frames in turn, then a short muted clip. */
import { useEffect, useState } from 'react';
import type { VideoCard } from '@/api/types';
import { useMedia } from '@/lib/use-media';

/** How long, in ms, the pointer must rest: passing over a card shouldn't load a clip. */
const FILM_MS = 200;

/** Whether the visitor saves data. Not every browser supports this, and TypeScript's types lack it. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Returns the clip's address. The clip is stored next to the frames. */
const filmOf = (frames: string): string => frames.replace(/sprite\.webp$/, 'preview.mp4');

export default function CardPreview({ video: { scr } }: { video: Pick<VideoCard, 'scr'> }) {
  const isStatic = useMedia('(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)');
  const [isWanted, setIsWanted] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsWanted(true), FILM_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!scr || isStatic || savesData()) return null;
  return (
    <>
      <span className="sprite absolute inset-0" style={{ backgroundImage: `url("${scr}")` }} />
      {isWanted && (
        <video
          src={filmOf(scr)}
          muted
          autoPlay
          loop
          playsInline
          disablePictureInPicture
          disableRemotePlayback
          hidden={!isPlaying}
          onPlaying={() => setIsPlaying(true)}
          // The video is older than clips are, so keep showing the frames.
          onError={() => setIsWanted(false)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  );
}
