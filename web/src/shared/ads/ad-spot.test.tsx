// @vitest-environment happy-dom
// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// The frame itself would make network requests.
vi.mock('./ad', () => ({ default: ({ template }: { template: string }) => template }));

const related = { wide: 'https://ads.example/wide', narrow: 'https://ads.example/narrow' };
let root: Root | undefined;

/** Renders a slot on a page that was sent with these advertisements. */
async function shown(ads: object | undefined): Promise<string> {
  vi.resetModules();
  document.body.innerHTML = '<script type="application/json" id="boot"></script><main></main>';
  const [boot, main] = document.body.children;
  if (!boot || !main) throw new Error('no page');
  boot.textContent = JSON.stringify({ ads });
  const { AdSpot } = await import('./ad-spot');
  root = createRoot(main);
  await act(async () => {
    root?.render(<AdSpot place="related" />);
    await import('./ad');
  });
  return main.innerHTML;
}

beforeEach(() => localStorage.clear());
afterEach(() => act(() => root?.unmount()));

it('reserves no space if there is no advertisement', async () => {
  expect(await shown(undefined)).toBe('');
  expect(await shown({ asks: false, page: related })).toBe('');
});

it('shows nothing before the visitor consents', async () => {
  expect(await shown({ asks: true, related })).toBe('');
  localStorage.setItem('lantern.ads', 'false');
  expect(await shown({ asks: true, related })).toBe('');
  localStorage.setItem('lantern.ads', 'true');
  expect(await shown({ asks: true, related })).toContain('https://ads.example/');
});

it('asks for no consent if none is needed', async () => {
  const html = await shown({ asks: false, related });
  expect(html).toContain('https://ads.example/');
  expect(html).toContain('min-h-');
});
