// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { UPLOAD_STATUS } from '@/api/status';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { Likenesses } from './likenesses';
import type { Upload } from './queries';

type Like = Upload['like'][number];

const like = (change: Partial<Like>): Like => ({
  id: 3,
  title: 'Evenings by the harbour',
  username: 'olga',
  created_at: '2026-09-01T12:00:00Z',
  status_id: UPLOAD_STATUS.published,
  banned_at: null,
  duration: 366,
  distance: 2.4,
  frames: ['/media/p/other-0.webp', '/media/p/other-1.webp'],
  ...change,
});

it('shows frames side by side, and only the name of a removed video', async () => {
  const banned = like({
    id: 9,
    status_id: UPLOAD_STATUS.deleted,
    banned_at: '2026-09-02T12:00:00Z',
    frames: [],
    distance: 0,
  });
  const upload = { frames: ['/media/p/own-0.webp'], like: [banned, like({})] } as Upload;
  await render(<Likenesses upload={upload} />);
  // The texts load separately.
  await until(() => {
    expect(document.querySelectorAll('section > ul > li')).toHaveLength(2);
  });
  const [down, live] = [...document.querySelectorAll('section > ul > li')];
  expect(down?.querySelectorAll('a, img')).toHaveLength(0);
  expect(down?.textContent).toContain('Taken down September 2, 2026');
  expect(live?.querySelector('a')?.getAttribute('href')).toBe('/moderate/?video_id=3');
  expect(live?.textContent).toContain('olga');
  expect(live?.textContent).toContain('6:06 · Published · Difference: 2 of 64');
  const sources = [...(live?.querySelectorAll('img') ?? [])].map((image) =>
    image.getAttribute('src'),
  );
  expect(sources).toEqual([
    '/media/p/own-0.webp',
    '/media/p/other-0.webp',
    '/media/p/other-1.webp',
  ]);
});
