import { expect, it } from 'vitest';
import { titleFrom } from './film-title';

it.each([
  ['evenings_by_the_harbour.mp4', 'Evenings by the harbour'],
  ['Night.Market.1080p.x264.mkv', 'Night Market'],
  ['night-market-walk.mov', 'Night market walk'],
  ['Mika – Part 2.mp4', 'Mika – Part 2'],
  ['trip 2024-05-01.mp4', 'Trip 2024-05-01'],
  ['夜の市場_4K.webm', '夜の市場'],
  ['élan  (720p) .mp4', 'Élan'],
  ['no ending', 'No ending'],
  // Device-generated names say nothing.
  ['VID_20240501_101500.mp4', ''],
  ['IMG-0042.MOV', ''],
  ['20240501.mp4', ''],
  ['.mp4', ''],
])('%s begins as “%s”', (name, title) => {
  expect(titleFrom(name, 150)).toBe(title);
});

it('is limited to the maximum length, in characters', () => {
  expect(titleFrom('ab cd.mp4', 3)).toBe('Ab');
  expect(titleFrom('🌃🌆🌇.mp4', 2)).toBe('🌃🌆');
});
