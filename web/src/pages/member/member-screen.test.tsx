// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { queryClient } from '@/lib/query';
import { until } from '@/lib/until';
import { VisitorProvider } from '@/lib/visitor';
import { memberQuery } from '@/shared/queries/community';
import { MemberScreen } from './member-screen';

let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  queryClient.clear();
  vi.unstubAllGlobals();
});

it('shows one heading if the member is cached but has been deleted', async () => {
  const gone = new Response(JSON.stringify({ code: 'not_found' }), { status: 404 });
  vi.stubGlobal('fetch', () => Promise.resolve(gone.clone()));
  queryClient.setQueryData(memberQuery(7).queryKey, {
    member: { user_id: 7, username: 'olga' },
  } as never);
  await act(async () => {
    root.render(
      <QueryClientProvider client={queryClient}>
        <VisitorProvider lang="en" country="US">
          <MemberScreen id={7} tab="playlists" number={1} />
        </VisitorProvider>
      </QueryClientProvider>,
    );
    await Promise.resolve();
  });
  const headings = () => [...document.querySelectorAll('h1')].map(({ textContent }) => textContent);
  const seen = new Set<number>();
  await until(() => {
    seen.add(headings().length);
    expect(headings()).toEqual(['Page not found']);
  });
  expect(Math.max(...seen)).toBe(1);
});
