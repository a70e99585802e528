/** Videos that the viewer watched in part; their cards lead to where they were left. */
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { readStored, writeStored } from '@/lib/storage';
import { VideoShelf } from './video-shelf';
import { useContinued } from '@/shared/history/continued';

/** Whether there was something the last time: a member's answer comes later, and its place is kept. */
const KEY = 'lantern.continued';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

interface Props {
  /** Beside the heading. */
  more: ReactNode;
  /** What stands below, or above where nobody could know that the shelf would come: nothing in sight moves. */
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
