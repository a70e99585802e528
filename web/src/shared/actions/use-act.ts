/** One click on a member's action: the page answers at once, and takes it back where the server refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRequireLogin } from '@/shared/account/use-require-login';
import type { Form } from '@/api/call';
import { post } from '@/api/client';
import { toast } from '@/ui/toast';
import { memberStateQuery, NOTHING, type MemberState, type Section } from './member-state';

/** What `stat.php` takes. */
export type StatFields = Form<'/api/stat.php'>;

export interface Act {
  /** What `stat.php` is sent. */
  fields: StatFields;
  /** What is so once it has worked. */
  change: Partial<MemberState>;
  /** Said then. */
  done: string;
}

/** Acts under way; a second click on the same waits for none of them, it is ignored. */
const underWay = new Set<string>();

/** `act({ fields, change, done })` for one object; guests sign in first, then it is done. */
export function useAct(section: Section, id: number): (act: Act) => Promise<void> {
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  return useCallback(
    ({ fields, change, done }) =>
      requireLogin(async () => {
        const { queryKey } = memberStateQuery(section, id);
        const name = `${section} ${String(id)} ${fields.act}`;
        if (underWay.has(name)) return;
        underWay.add(name);
        await client.cancelQueries({ queryKey });
        const before = client.getQueryData<MemberState>(queryKey);
        client.setQueryData<MemberState>(queryKey, { ...(before ?? NOTHING), ...change });
        try {
          await post('/api/stat.php', fields);
        } catch (error) {
          client.setQueryData<MemberState>(queryKey, before);
          throw error;
        } finally {
          underWay.delete(name);
          void client.invalidateQueries({ queryKey });
        }
        await toast(done);
      }),
    [client, requireLogin, section, id],
  );
}
