import { expect, it } from 'vitest';
import { highlightParts } from './highlight';

it('splits marked from plain', () =>
  expect(highlightParts('a <mark>neon</mark> light')).toEqual([
    { text: 'a ', marked: false },
    { text: 'neon', marked: true },
    { text: ' light', marked: false },
  ]));

it('unescapes once and never creates markup', () =>
  expect(highlightParts('&lt;b&gt; &amp;lt; <mark>x &amp; y</mark>')).toEqual([
    { text: '<b> &lt; ', marked: false },
    { text: 'x & y', marked: true },
  ]));
