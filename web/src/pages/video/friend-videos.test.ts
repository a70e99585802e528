import { expect, it } from 'vitest';
import { friendVideos, listAddress } from './friend-videos';

const LIST = 'https://friend.example/static/tf/videos.3.json';
const video = (id: number, more: object = {}) => ({
  video_id: id,
  title: `Video ${String(id)}`,
  url: `https://friend.example/videos/${String(id)}/`,
  thumb: `https://friend.example/media/p/${String(id)}.webp`,
  duration: '12:05',
  ...more,
});
const shown = (...videos: unknown[]) => friendVideos({ videos }, LIST);

it('shows seventeen of a friend’s videos', () => {
  const list = Array.from({ length: 20 }, (_, at) => video(at));
  expect(shown(...list)).toEqual(list.slice(0, 17));
});

it('links only to the friend’s site', () => {
  const bad = [
    video(1, { url: 'javascript:alert(1)' }),
    video(2, { url: 'https://friend.example.evil/' }),
    video(3, { url: '/videos/3/' }),
    video(4, { thumb: 'https://other.example/pixel.gif' }),
    video(5, { title: { __html: 'x' } }),
    null,
    'text',
  ];
  expect(shown(...bad, video(6))).toEqual([video(6)]);
});

it.each([null, 'text', 7, [], {}, { videos: null }, { videos: {} }])(
  'reads nothing in %o',
  (answer) => expect(friendVideos(answer, LIST)).toEqual([]),
);

it('requests the visitor’s language', () => {
  const audience = { lang: 'de', gender: 'gay' };
  expect(listAddress(LIST, audience)).toBe(`${LIST}?lang=de&gender=gay`);
  expect(listAddress(`${LIST}?from=us&lang=en`, audience)).toBe(
    `${LIST}?from=us&lang=de&gender=gay`,
  );
});
