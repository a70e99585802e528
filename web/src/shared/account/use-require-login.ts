/** Restricts actions to members: a guest is asked to log in first, and then the action runs. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { errorText } from '@/i18n/errors';
import { ApiError } from '@/lib/http';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { requestLogin } from './login-request';
import { meQuery } from './use-me';
import type { Wish } from './wish';

/**
 * `const act = useRequireLogin(); act(() => …, wish)`: a guest who signs up for the action later finds the wish open or done. An error in
 * the action becomes a toast, except for an expired session, which opens the same dialog. An action that shows errors itself must catch
 * them.
 */
export function useRequireLogin(): (action: () => unknown, wish?: Partial<Wish>) => Promise<void> {
  const client = useQueryClient();
  const { lang } = useVisitor();
  return useCallback(
    async (action, wish) => {
      try {
        const { user } = await client.query(meQuery);
        if (user) await action();
        else requestLogin(action, wish);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'need_auth') {
          client.setQueryData(meQuery.queryKey, { user: null });
          requestLogin(action, wish);
        } else {
          await toast(await errorText(error, lang), 'error');
        }
      }
    },
    [client, lang],
  );
}
