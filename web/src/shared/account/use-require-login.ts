/** Actions for members: a guest is asked to sign in first, and the action is done after that. */
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
 * `const act = useRequireLogin(); act(() => …, wish)`; the wish is what a guest who signs up for it finds open or done later. What
 * the action throws becomes a toast, except that a session that ended meanwhile leads to the same dialog. An action that shows its
 * own errors catches them itself.
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
