// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { ApiError } from '@/lib/http';
import { VisitorProvider } from '@/lib/visitor';
import { closeLogin, useLoginRequest, type LoginRequest } from './login-request';
import { meQuery, useMe, type Me } from './use-me';
import { useRequireLogin } from './use-require-login';

const shown = vi.hoisted(() => vi.fn<(text: string, kind: string) => Promise<void>>());
vi.mock('@/ui/toast', () => ({ toast: shown }));

const ME: Me = {
  user_id: 7,
  username: 'demo',
  avatar: null,
  status_id: 1,
  unread_messages: 0,
  unread_notifications: 0,
  refresh_seconds: 60,
  friend_requests: 0,
  is_moderator: false,
  is_premium: false,
};
let root: Root;
let client: QueryClient;
let perform: (action: () => unknown) => Promise<void>;
let request: LoginRequest | null;
let me: Me | null | undefined;

function Probe() {
  const found = { perform: useRequireLogin(), request: useLoginRequest(), me: useMe() };
  useEffect(() => {
    ({ perform, request, me } = found);
  });
  return null;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => {
    closeLogin();
    root.unmount();
  });
  vi.unstubAllGlobals();
  shown.mockReset();
});

const signedIn = (user: Me | null) => {
  client.setQueryData(meQuery.queryKey, { user });
  act(() => {
    root.render(
      <QueryClientProvider client={client}>
        <VisitorProvider lang="en" country="US">
          <Probe />
        </VisitorProvider>
      </QueryClientProvider>,
    );
  });
};

describe('a members-only action', () => {
  it('runs at once for a member', async () => {
    signedIn(ME);
    const action = vi.fn();
    await act(() => perform(action));
    expect(action).toHaveBeenCalledOnce();
    expect(request).toBeNull();
  });

  it('waits until a guest has logged in', async () => {
    signedIn(null);
    const action = vi.fn();
    await act(() => perform(action));
    expect(action).not.toHaveBeenCalled();
    expect(request?.action).toBe(action);
  });

  it('asks again if the session has ended', async () => {
    signedIn(ME);
    const action = () => Promise.reject(new ApiError(401, { code: 'need_auth', field: 'notify' }));
    await act(() => perform(action));
    expect(request?.action).toBe(action);
    expect(me).toBeNull();
    expect(shown).not.toHaveBeenCalled();
  });

  it('reports other errors', async () => {
    signedIn(ME);
    const info = { retry_after: 120 };
    await act(() =>
      perform(() => Promise.reject(new ApiError(429, { code: 'too_many_attempts', info }))),
    );
    expect(shown).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('2 minutes'), 'error');
    expect(request).toBeNull();
  });
});
