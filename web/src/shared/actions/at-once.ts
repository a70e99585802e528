/** Optimistic updates. A refused change is reverted on its own, while other pending changes stay. */
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

type Change<Answer> = (answer: Answer) => Answer;

/** Pending changes to one cached response. */
interface Work<Answer> {
  /** The response without any of the changes. */
  base: Answer | undefined;
  /** The response as last shown, with the changes applied. */
  shown: Answer | undefined;
  /** Changes that the server hasn't refused, in order. */
  changes: Set<Change<Answer>>;
  open: number;
}

/** Pending work by query key. */
const works = new Map<string, unknown>();
const workAt = <Answer>(queryKey: QueryKey) =>
  works.get(hashKey(queryKey)) as Work<Answer> | undefined;

/** A response that was not written here came from the server in the meantime. */
function follow<Answer>(work: Work<Answer>, now: Answer | undefined): void {
  if (now !== work.shown) work.base = now;
}

interface AtOnce<Answer> {
  client: QueryClient;
  queryKey: QueryKey;
  change: Change<Answer>;
  send: () => Promise<unknown>;
  /** What the change is applied to if nothing is cached. If it is left out, nothing is changed. */
  unknown?: Answer | undefined;
}

/** Applies a change at once and sends it. Returns a change that reverts it, or does nothing if the response was modified after that. */
export async function changeAtOnce<Answer>(given: AtOnce<Answer>): Promise<Change<Answer>> {
  const { client, queryKey, change, send, unknown } = given;
  await client.cancelQueries({ queryKey });
  const work = workAt<Answer>(queryKey) ?? {
    base: undefined,
    shown: undefined,
    changes: new Set(),
    open: 0,
  };
  works.set(hashKey(queryKey), work);
  const read = () => client.getQueryData<Answer>(queryKey);
  const changed = (leftOut?: Change<Answer>): Answer | undefined => {
    let answer = work.base ?? unknown;
    for (const each of work.changes) {
      if (answer !== undefined && each !== leftOut) answer = each(answer);
    }
    return answer;
  };
  const show = () => {
    follow(work, read());
    const answer = changed();
    if (answer !== undefined) client.setQueryData<Answer>(queryKey, answer);
    work.shown = read();
  };
  work.changes.add(change);
  work.open += 1;
  show();
  try {
    await send();
    const after = read();
    const before = after === work.shown ? changed(change) : after;
    return (answer) => (answer === after && before !== undefined ? before : answer);
  } catch (error) {
    work.changes.delete(change);
    show();
    throw error;
  } finally {
    work.open -= 1;
    if (work.open === 0) {
      works.delete(hashKey(queryKey));
      // Only the last open request refetches, because an earlier response would lack changes that are still pending. A refused request
      // refetches, too: others that ended before it may have been accepted.
      void client.invalidateQueries({ queryKey });
    }
  }
}

/** Applies a change that the server has already made, or one that nobody waits for. Pending changes can still be reverted separately. */
export function changeKnown<Answer>(
  client: QueryClient,
  queryKey: QueryKey,
  change: Change<Answer>,
): void {
  const work = workAt<Answer>(queryKey);
  const read = () => client.getQueryData<Answer>(queryKey);
  if (work) {
    follow(work, read());
    if (work.base !== undefined) work.base = change(work.base);
  }
  client.setQueryData<Answer>(queryKey, (old) => old && change(old));
  if (work) work.shown = read();
}
