/** Discards an unsent album, and refetches the member's albums. */
import { useQueryClient } from '@tanstack/react-query';
import type { Path } from '@/api/call';
import { post } from '@/api/client';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { stop } from './run';
import { dropWork, findWork } from './works';

const OWN_ALBUMS = `${'/api/member_lists.php' satisfies Path}?list=albums`;

export function useDiscard() {
  const client = useQueryClient();
  const act = useRequireLogin();
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(OWN_ALBUMS),
    });
  return {
    refresh,
    discard: (name: string) => {
      stop(name);
      const album_id = findWork(name)?.albumId;
      dropWork(name);
      if (album_id == null) return;
      void act(async () => {
        await post('/api/album_edit.php', { album_id, act: '2' });
        await refresh();
      });
    },
  };
}
