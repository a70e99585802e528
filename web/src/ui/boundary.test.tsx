// @vitest-environment happy-dom
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '@/lib/deferred';
import { until } from '@/lib/until';
import { Boundary } from './boundary';

let root: Root;
let isBroken: boolean;

function Fragile() {
  if (isBroken) throw new Error('broken');
  return <p>whole</p>;
}
const draw = async (part: ReactNode) => {
  await act(async () => {
    root.render(<Boundary quiet>{part}</Boundary>);
    await Promise.resolve();
  });
};
const shown = () => document.body.textContent;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // React logs errors that a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  isBroken = true;
  history.replaceState(null, '', '/one/');
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
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
