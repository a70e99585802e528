import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAtOnce, changeKnown } from './at-once';

type Ids = number[];
const queryKey = ['/list'];
let client: QueryClient;

const shown = () => client.getQueryData<Ids>(queryKey);
const drop = (id: number) => (ids: Ids) => ids.filter((other) => other !== id);

/** Begins a change whose response is pending. */
function begin(change: (ids: Ids) => Ids, unknown?: Ids) {
  let resolve: (value: undefined) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const answer = new Promise<undefined>((...ends) => ([resolve, reject] = ends));
  const done = changeAtOnce<Ids>({ client, queryKey, change, send: () => answer, unknown });
  const refused = () => {
    reject(new Error('refused'));
    return expect(done).rejects.toThrow('refused');
  };
  const taken = () => {
    resolve(undefined);
    return done;
  };
  return { refused, taken };
}
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData<Ids>(queryKey, [1, 2, 3]);
});

describe('two concurrent changes', () => {
  it.each([
    [true, false, [1, 2]],
    [false, true, [1, 3]],
    [false, false, [1, 2, 3]],
    [true, true, [1]],
  ])('taken: %s and %s', async (isFirst, isSecond, left) => {
    for (const isInOrder of [true, false]) {
      client.setQueryData<Ids>(queryKey, [1, 2, 3]);
      const first = begin(drop(3));
      const second = begin(drop(2));
      await settle();
      expect(shown()).toEqual([1]);
      const ends = [
        () => (isFirst ? first.taken() : first.refused()),
        () => (isSecond ? second.taken() : second.refused()),
      ];
      for (const end of isInOrder ? ends : ends.toReversed()) await end();
      expect(shown()).toEqual(left);
    }
  });

  it('refetch once both are done', async () => {
    const first = begin(drop(3));
    const second = begin(drop(2));
    await settle();
    await first.taken();
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
    await second.refused();
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });
});

it('keep updates from the server', async () => {
  const one = begin(drop(2));
  await settle();
  client.setQueryData<Ids>(queryKey, [1, 2, 3, 4]);
  await one.refused();
  expect(shown()).toEqual([1, 2, 3, 4]);
});

it('revert only themselves when data arrives meanwhile', async () => {
  const one = begin(drop(2));
  await settle();
  changeKnown<Ids>(client, queryKey, (ids) => [...ids, 5]);
  expect(shown()).toEqual([1, 3, 5]);
  await one.refused();
  expect(shown()).toEqual([1, 2, 3, 5]);
});

it('restore the substitute for unknown data', async () => {
  client.clear();
  const one = begin((ids) => [...ids, 7], []);
  await settle();
  expect(shown()).toEqual([7]);
  await one.refused();
  expect(shown()).toEqual([]);
});

it('leave unknown data alone', async () => {
  client.clear();
  const one = begin(drop(2));
  await settle();
  expect(shown()).toBeUndefined();
  await one.refused();
  expect(shown()).toBeUndefined();
});
