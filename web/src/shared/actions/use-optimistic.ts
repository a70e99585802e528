/** Changes a list at once and tells the server; what it refuses is taken back and shown. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { toast } from '@/ui/toast';

interface Deed<Answer> {
  /** Address of the list, which is its key. */
  url: string;
  change: (answer: Answer) => Answer;
  send: () => Promise<unknown>;
  /** Said once it has worked. */
  done: string;
}

export type DoAtOnce = <Answer>(deed: Deed<Answer>) => Promise<void>;

export function useOptimistic(): DoAtOnce {
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  return useCallback<DoAtOnce>(
    <Answer>({ url, change, send, done }: Deed<Answer>) =>
      requireLogin(async () => {
        const queryKey = [url];
        await client.cancelQueries({ queryKey });
        const before = client.getQueryData<Answer>(queryKey);
        if (before !== undefined) client.setQueryData<Answer>(queryKey, change(before));
        try {
          await send();
        } catch (error) {
          client.setQueryData<Answer>(queryKey, before);
          throw error;
        } finally {
          void client.invalidateQueries({ queryKey });
        }
        await toast(done);
      }),
    [client, requireLogin],
  );
}
