// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { until } from '@/lib/until';
import { VisitorProvider } from '@/lib/visitor';
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

let root: Root;
const posted: string[] = [];
let list: unknown;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  posted.length = 0;
  list = waiting;
  vi.stubGlobal('fetch', (url: string, options?: RequestInit) => {
    if (options?.method !== 'POST') return Promise.resolve(Response.json(list));
    posted.push(`${url} ${String(options.body as URLSearchParams)}`);
    list = { profiles: [], reported: [] };
    return Promise.resolve(Response.json({ ok: 1 }));
  });
  await startI18n('en');
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => {
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <VisitorProvider lang="en" country="US">
          <Community />
        </VisitorProvider>
      </QueryClientProvider>,
    );
    await Promise.resolve();
  });
  await until(() =>
    expect(document.querySelectorAll('[aria-labelledby=community] > ul > li')).toHaveLength(2),
  );
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
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
