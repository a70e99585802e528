/** Changes that are shown before the server has taken them. What it refuses goes again by itself: others under way stay. */
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

type Change<Answer> = (answer: Answer) => Answer;

/** What is under way in one answer of the cache. */
interface Work<Answer> {
  /** The answer without any of the changes. */
  base: Answer | undefined;
  /** The answer as it was last shown with them. */
  shown: Answer | undefined;
  /** Those that the server hasn't refused, in their order. */
  changes: Set<Change<Answer>>;
  open: number;
}

/** By the key of the answer. */
const works = new Map<string, unknown>();
const workAt = <Answer>(queryKey: QueryKey) =>
  works.get(hashKey(queryKey)) as Work<Answer> | undefined;

/** What was not made here came from the server since. */
function follow<Answer>(work: Work<Answer>, now: Answer | undefined): void {
  if (now !== work.shown) work.base = now;
}

interface AtOnce<Answer> {
  client: QueryClient;
  queryKey: QueryKey;
  change: Change<Answer>;
  send: () => Promise<unknown>;
  /** What is changed where nothing is known yet; left out, nothing is. */
  unknown?: Answer | undefined;
}

/** Gives the change that takes this one back; it does nothing where something else has happened since. */
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
      // After a refusal as well: what went before it may have been on its way. No sooner: an answer would lack what still is.
      void client.invalidateQueries({ queryKey });
    }
  }
}

/** Shows what the server has taken already, or nobody waits for; what is under way is still taken back by itself. */
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
