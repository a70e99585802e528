/** The member's own data for cards and lists that all viewers share: watch progress and mutes. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '@/api/client';
import { useVisitor } from '@/lib/visitor';
import { setProgress } from '@/shared/history/progress';
import { setMemberMutes } from '@/shared/mutes/mutes';
import { mutesQuery } from '@/shared/mutes/queries';
import type { Me } from './use-me';

const watchedQuery = get('/api/watched.php', {});
const NONE_YET: ReadonlyMap<number, number> = new Map();

/** Keeps the member's data up to date. A guest's data comes from this browser. */
export function usePersonal(me: Me | null | undefined): void {
  const { lang } = useVisitor();
  const isMember = me != null;
  const { data: watched } = useQuery({ ...watchedQuery, enabled: isMember });
  const { data: mutes } = useQuery({ ...mutesQuery(lang), enabled: isMember });
  const isGuest = me === null;
  useEffect(() => {
    if (isGuest) {
      setProgress(null);
      setMemberMutes(null);
    }
  }, [isGuest]);
  useEffect(() => {
    if (!isMember) return;
    const shares = watched?.videos.map(
      ({ video_id, percent }) => [video_id, percent / 100] as const,
    );
    setProgress(shares ? new Map(shares) : NONE_YET);
  }, [isMember, watched]);
  useEffect(() => {
    if (mutes) setMemberMutes(mutes);
  }, [mutes]);
}
