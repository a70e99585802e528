import { expect, it } from 'vitest';
import { asTrack } from './chapter-track';

it('writes a cue from each chapter to the next', () => {
  const chapters = [
    { start: 0, title: 'A --> B' },
    { start: 3723, title: '<b>Q&A</b>' },
  ];
  expect(asTrack(chapters)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 01:02:03.000\nA --&gt; B\n\n01:02:03.000 --> 99:59:59.000\n&lt;b&gt;Q&amp;A&lt;/b&gt;',
  );
});
