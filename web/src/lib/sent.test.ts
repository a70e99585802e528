// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // The data is parsed only once per module load.
  vi.resetModules();
});
afterEach(() => {
  document.body.innerHTML = '';
});

it.each([
  ['{"country":"DE","guest":true}', { country: 'DE', guest: true }],
  ['', {}],
  ['\n  ', {}],
])('of %j is %o', async (json, fields) => {
  document.body.innerHTML = `<script id="boot" type="application/json">${json}</script>`;
  const { sent } = await import('./sent');
  expect(sent()).toEqual(fields);
});

it('is empty for a page without it', async () => {
  const { sent } = await import('./sent');
  expect(sent()).toEqual({});
});
