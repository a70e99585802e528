/** Partly watched videos, whose cards resume them. */
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { readStored, writeStored } from '@/lib/storage';
import { VideoShelf } from './video-shelf';
import { useContinued } from '@/shared/history/continued';

/** Whether the shelf was shown last time. Its space is then reserved until a member's response arrives. */
const KEY = 'lantern.continued';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

interface Props {
  /** What is shown next to the heading. */
  more: ReactNode;
  /** Placed below the shelf, or above it if the shelf couldn't be expected, so that nothing visible shifts. */
  children: ReactNode;
}

export function ContinueBlock({ more, children }: Props) {
  const t = useT();
  const videos = useContinued();
  const [leads] = useState(() => (videos ? videos.length > 0 : readStored(KEY, isBoolean, false)));
  const isThere = videos ? videos.length > 0 : leads;
  useEffect(() => {
    if (videos) writeStored(KEY, videos.length > 0);
  }, [videos]);
  const shelf = isThere && (
    <VideoShelf
      id="home-continue"
      heading={t('home.continue')}
      more={more}
      videos={videos}
      eager={leads}
    />
  );
  return leads ? (
    <>
      {shelf}
      {children}
    </>
  ) : (
    <>
      {children}
      {shelf}
    </>
  );
}
