/** Moderators' calls as query options. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '@/api/call';
import { get } from '@/api/client';

export type Staff = Answer<'/api/moderate/second_step'>;
export type Item = Answer<'/api/moderate/queue'>['uploads'][number];
export type Upload = Answer<'/api/moderate/upload'>;
export type Performer = Upload['performers'][number];
export type ProfileChange = Answer<'/api/moderate/community'>['profiles'][number];
export type Reported = Answer<'/api/moderate/community'>['reported'][number];
export type Quarantined = Answer<'/api/moderate/quarantine'>['objects'][number];

/** Other moderators' decisions must be shown at once. */
const FRESH = { staleTime: 0, gcTime: 0 } as const;

export const staffQuery = queryOptions({
  ...get('/api/moderate/second_step', {}),
  ...FRESH,
  retry: false,
});

export const queueQuery = queryOptions({
  ...get('/api/moderate/queue', {}),
  ...FRESH,
  refetchInterval: 30_000,
});

export const communityQuery = queryOptions({
  ...get('/api/moderate/community', {}),
  ...FRESH,
  refetchInterval: 30_000,
});

export const quarantineQuery = queryOptions({
  ...get('/api/moderate/quarantine', {}),
  ...FRESH,
});

export const uploadQuery = ({ section, id }: Pick<Item, 'section' | 'id'>) =>
  queryOptions({
    ...get('/api/moderate/upload', { section: section as 'video' | 'album', id }),
    ...FRESH,
  });
