// @vitest-environment happy-dom
import { type ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '@/lib/deferred';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { Boundary } from './boundary';

let isBroken: boolean;

function Fragile() {
  if (isBroken) throw new Error('broken');
  return <p>whole</p>;
}
const draw = async (part: ReactNode) => {
  await render(<Boundary quiet>{part}</Boundary>);
};
const shown = () => document.body.textContent;

beforeEach(() => {
  // React logs errors that a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  isBroken = true;
  history.replaceState(null, '', '/one/');
});

it('leaves a broken part out on this page and retries it on the next', async () => {
  await draw(<Fragile />);
  expect(shown()).toBe('');
  isBroken = false;
  await draw(<Fragile />);
  expect(shown()).toBe('');
  history.pushState(null, '', '/two/');
  await draw(<Fragile />);
  expect(shown()).toBe('whole');
});

it('reloads code on the next page if it failed on this one', async () => {
  const load = vi.fn(() =>
    isBroken ? Promise.reject(new Error('refused')) : Promise.resolve({ default: Fragile }),
  );
  const Part = deferred(load, 'waits');
  await draw(<Part />);
  await until(() => expect(shown()).toBe(''));
  expect(load).toHaveBeenCalledOnce();
  isBroken = false;
  history.pushState(null, '', '/two/');
  await draw(<Part />);
  await until(() => expect(shown()).toBe('whole'));
  expect(load).toHaveBeenCalledTimes(2);
});
