/** Applies a change at once and sends it to the server; a refused change is reverted and reported. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { toast } from '@/ui/toast';
import { changeAtOnce } from './at-once';
import type { Deed } from './deed';

interface Change<Answer> {
  /** URL of the call, which is its query key. */
  url: string;
  change: (answer: Answer) => Answer;
  /** Applied to this if nothing is cached; if left out, nothing is changed. */
  unknown?: Answer;
  send: () => Promise<unknown>;
  /** Message on success; left out if the page shows it well enough. */
  done?: string;
  /** Undoes the change; offered next to the message. */
  undo?: (() => Promise<unknown>) | undefined;
  /** While a change with this name is pending, another is ignored. */
  name?: string;
  /** Action that a guest who signs up for it finds done on return. */
  deed?: Deed;
}

type ItemOf<List> = List extends (infer Item)[] ? Item : never;

/** Returns the response without some items of one of its lists. */
export const without = <Answer extends object, Of extends keyof Answer>(
  answer: Answer,
  of: Of,
  isGone: (item: ItemOf<Answer[Of]>) => boolean,
): Answer => {
  const items = answer[of] as ItemOf<Answer[Of]>[];
  return { ...answer, [of]: items.filter((item) => !isGone(item)) };
};

const inFlight = new Set<string>();

export function useOptimistic(): <Answer>(change: Change<Answer>) => Promise<void> {
  const client = useQueryClient();
  const requireLogin = useRequireLogin();
  return useCallback(
    <Answer>({ url, change, unknown, send, done, undo, name, deed }: Change<Answer>) =>
      requireLogin(async () => {
        const queryKey = [url];
        if (name && inFlight.has(name)) return;
        if (name) inFlight.add(name);
        let back: (answer: Answer) => Answer;
        try {
          back = await changeAtOnce({ client, queryKey, change, send, unknown });
        } finally {
          if (name) inFlight.delete(name);
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
