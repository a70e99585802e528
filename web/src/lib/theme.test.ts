// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { applyTheme, chooseTheme } from './theme';

const page = readFileSync('index.html', 'utf8');
/** The `theme-color` metas, with the media queries for which they apply. */
const bar = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].map((meta) => [
    meta.content,
    meta.getAttribute('media'),
  ]);

afterEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
});

it('gives the browser’s bar the colour of the chosen theme', () => {
  document.head.innerHTML = page.split('<head>')[1]?.split('</head>')[0] ?? '';
  applyTheme();
  expect(bar()).toEqual([
    ['#0d0b09', '(prefers-color-scheme: dark)'],
    ['#fbfaf8', '(prefers-color-scheme: light)'],
  ]);
  chooseTheme('light');
  expect(bar()).toEqual([
    ['#0d0b09', 'not all'],
    ['#fbfaf8', 'all'],
  ]);
  chooseTheme('dark');
  expect(bar().map(([, media]) => media)).toEqual(['all', 'not all']);
});
