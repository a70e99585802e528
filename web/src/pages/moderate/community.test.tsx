// @vitest-environment happy-dom
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
// A toast loads this, which may otherwise take longer than the test.
import '@/ui/toaster';
import { Community } from './community';

const AT = '2026-09-01T12:00:00Z';
const waiting = {
  profiles: [
    {
      user_id: 7,
      username: 'mona',
      kind: 'texts',
      revision: 4,
      sent_at: AT,
      picture: null,
      before: null,
      texts: [{ field: 'about', before: 'Old words', text: 'New words' }],
    },
  ],
  reported: [
    {
      section: 'comment',
      id: 12,
      said: 'Buy watches',
      is_hidden: true,
      user_id: 8,
      username: 'olga',
      avatar: null,
      cover: null,
      reports: [{ id: 3, reason: 'spam', message: 'Look', username: null, created_at: AT }],
    },
  ],
};

const posted: string[] = [];
let list: unknown;

beforeEach(async () => {
  posted.length = 0;
  list = waiting;
  vi.stubGlobal('fetch', (url: string, options?: RequestInit) => {
    if (options?.method !== 'POST') return Promise.resolve(Response.json(list));
    posted.push(`${url} ${String(options.body as URLSearchParams)}`);
    list = { profiles: [], reported: [] };
    return Promise.resolve(Response.json({ ok: 1 }));
  });
  await render(<Community />);
  await until(() =>
    expect(document.querySelectorAll('[aria-labelledby=community] > ul > li')).toHaveLength(2),
  );
});

const press = async (name: string) => {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent === name);
  if (!button) throw new Error(`no button ${name}`);
  await act(async () => {
    button.click();
    await Promise.resolve();
  });
};

it('shows changes next to the public version, and approves what was shown', async () => {
  const [profile] = document.querySelectorAll('[aria-labelledby=community] > ul > li');
  expect(profile?.textContent).toContain('Profile texts: mona');
  expect(profile?.textContent).toContain('About meNew wordsOld words');
  await press('Approve');
  expect(posted).toEqual(['/api/moderate/profile user_id=7&kind=texts&revision=4&verdict=approve']);
  await until(() => expect(document.body.textContent).toContain('The queue is empty.'));
});

it('shows the reported content, and removes it after a confirmation', async () => {
  const [, comment] = document.querySelectorAll('[aria-labelledby=community] > ul > li');
  expect(comment?.textContent).toContain('Comment: olga');
  expect(comment?.textContent).toContain('Buy watches');
  await press('Remove the comment');
  expect(posted).toEqual([]);
  const dialog = document.querySelector('[role="dialog"]');
  const sure = [...(dialog?.querySelectorAll('button') ?? [])].find(
    (button) => button.textContent === 'Remove the comment',
  );
  await act(async () => {
    sure?.click();
    await Promise.resolve();
  });
  expect(posted).toEqual(['/api/moderate/clear what=comment&id=12']);
});
