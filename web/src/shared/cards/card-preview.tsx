/** What a card shows to who points at it: ten frames in turn at once, then some moving seconds without sound. */
import { useEffect, useState } from 'react';
import type { VideoCard } from '@/api/types';
import { useMedia } from '@/lib/use-media';

/** Who only passes by loads no film. */
const FILM_MS = 200;

/** Not in every browser, nor in TypeScript's own list. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The short film lies beside the frames. */
const filmOf = (frames: string): string => frames.replace(/sprite\.webp$/, 'preview.mp4');

export default function CardPreview({ video: { scr } }: { video: Pick<VideoCard, 'scr'> }) {
  const staysStill = useMedia('(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)');
  const [isWanted, setIsWanted] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsWanted(true);
    }, FILM_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  if (!scr || staysStill || savesData()) return null;
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
          onPlaying={() => {
            setIsPlaying(true);
          }}
          // A film from before there were short ones: the frames remain.
          onError={() => {
            setIsWanted(false);
          }}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  );
}
