// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, it } from 'vitest';
import { render } from '@/lib/render';
import { changeGuestMutes } from '@/shared/mutes/mutes';
import { NOTHING_MUTED } from '@/shared/mutes/rules';
import { Groups } from './groups';

const category = (dir: string) => ({ dir, title: dir, thumb: '', total_videos: 3 });
const model = (dir: string) => ({
  model_id: 1,
  dir,
  title: dir,
  country: null,
  age: null,
  thumbs: '',
  total_videos: 3,
  viewed: 0,
  subscribers: 0,
});
const names = () => [...document.querySelectorAll('li a')].map((link) => link.getAttribute('href'));

afterEach(() => changeGuestMutes(() => NOTHING_MUTED));

it('hides muted names above a search', async () => {
  await render(
    <Groups
      categories={[category('travel'), category('city')]}
      models={[model('yui')]}
      playlists={[]}
    />,
  );
  expect(names()).toHaveLength(3);
  act(() =>
    changeGuestMutes((mutes) => ({
      ...mutes,
      categories: [{ dir: 'travel', title: 'Travel' }],
      models: [{ dir: 'yui', title: 'Yui' }],
    })),
  );
  expect(names()).toEqual(['/categories/city/latest-updates/1/']);
  expect(document.querySelectorAll('section')).toHaveLength(1);
});
