/** Changes what is shown at once and tells the server; what it refuses is taken back and shown. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { toast } from '@/ui/toast';
import { changeAtOnce } from './at-once';
import type { Deed } from './deed';

interface Change<Answer> {
  /** Address of the call, which is its key. */
  url: string;
  change: (answer: Answer) => Answer;
  /** What is changed where nothing is known yet; left out, nothing is. */
  unknown?: Answer;
  send: () => Promise<unknown>;
  /** Said once it has worked; left out where the page shows it well enough. */
  done?: string;
  /** Takes it back, which is offered beside what is said. */
  undo?: (() => Promise<unknown>) | undefined;
  /** While one of this name is under way, a second is ignored. */
  name?: string;
  /** What a guest who signs up for it finds done on the way back. */
  deed?: Deed;
}

type ItemOf<List> = List extends (infer Item)[] ? Item : never;

/** The answer without some items of one of its lists. */
export const without = <Answer extends object, Of extends keyof Answer>(
  answer: Answer,
  of: Of,
  isGone: (item: ItemOf<Answer[Of]>) => boolean,
): Answer => {
  const items = answer[of] as ItemOf<Answer[Of]>[];
  return { ...answer, [of]: items.filter((item) => !isGone(item)) };
};

const underWay = new Set<string>();

export function useOptimistic(): <Answer>(change: Change<Answer>) => Promise<void> {
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  return useCallback(
    <Answer>({ url, change, unknown, send, done, undo, name, deed }: Change<Answer>) =>
      requireLogin(async () => {
        const queryKey = [url];
        if (name && underWay.has(name)) return;
        if (name) underWay.add(name);
        let back: (answer: Answer) => Answer;
        try {
          back = await changeAtOnce({ client, queryKey, change, send, unknown });
        } finally {
          if (name) underWay.delete(name);
        }
        const takeBack = (undo: () => Promise<unknown>) =>
          void requireLogin(() => changeAtOnce({ client, queryKey, change: back, send: undo }));
        if (done === undefined) return;
        await toast(
          done,
          'success',
          undo &&
            (() => {
              takeBack(undo);
            }),
        );
      }, deed && { deed }),
    [client, requireLogin],
  );
}
