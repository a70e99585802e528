/** Applies a change at once and sends it to the server. A refused change is reverted and reported. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { toast } from '@/ui/toast';
import { changeAtOnce } from './at-once';
import type { Deed } from './deed';

interface Change<Answer> {
  /** The call's URL, which is its query key. */
  url: string;
  change: (answer: Answer) => Answer;
  /** What the change is applied to if nothing is cached. If it is left out, nothing is changed. */
  unknown?: Answer;
  send: () => Promise<unknown>;
  /** The message on success. It is left out if the page shows the success well enough. */
  done?: string;
  /** Undoes the change. It is offered next to the message. */
  undo?: (() => Promise<unknown>) | undefined;
  /** A name for the change. While a change with this name is pending, another one is ignored. */
  name?: string;
  /** The action to store if a guest signs up for it. It is done when the guest returns. */
  deed?: Deed;
}

type ItemOf<List> = List extends (infer Item)[] ? Item : never;

/** Returns the response without some items in one of its lists. */
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
