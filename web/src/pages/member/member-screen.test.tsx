// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { memberQuery } from '@/shared/queries/community';
import { MemberScreen } from './member-screen';

afterEach(() => queryClient.clear());

it('shows one heading if the member is cached but has been deleted', async () => {
  const gone = new Response(JSON.stringify({ code: 'not_found' }), { status: 404 });
  vi.stubGlobal('fetch', () => Promise.resolve(gone.clone()));
  queryClient.setQueryData(memberQuery(7).queryKey, {
    member: { user_id: 7, username: 'olga' },
  } as never);
  await render(<MemberScreen id={7} tab="playlists" number={1} />, queryClient);
  const headings = () => [...document.querySelectorAll('h1')].map(({ textContent }) => textContent);
  const seen = new Set<number>();
  await until(() => {
    seen.add(headings().length);
    expect(headings()).toEqual(['Page not found']);
  });
  expect(Math.max(...seen)).toBe(1);
});
