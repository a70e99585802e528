// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act, useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MEMBER_STATUS } from '@/api/status';
import { ApiError } from '@/lib/http';
import { render } from '@/lib/render';
import { closeLogin, useLoginRequest, type LoginRequest } from './login-request';
import { meQuery, useMe, type Me } from './use-me';
import { useRequireLogin } from './use-require-login';

const shown = vi.hoisted(() => vi.fn<(text: string, kind: string) => Promise<void>>());
vi.mock('@/ui/toast', () => ({ toast: shown }));

const ME: Me = {
  user_id: 7,
  username: 'demo',
  avatar: null,
  status_id: MEMBER_STATUS.ordinary,
  unread_messages: 0,
  unread_notifications: 0,
  refresh_seconds: 60,
  friend_requests: 0,
  is_moderator: false,
  is_premium: false,
};
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

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
});
afterEach(() => {
  act(closeLogin);
  shown.mockReset();
});

const signedIn = async (user: Me | null) => {
  client.setQueryData(meQuery.queryKey, { user });
  await render(<Probe />, client);
};

describe('a members-only action', () => {
  it('runs at once for a member', async () => {
    await signedIn(ME);
    const action = vi.fn();
    await act(() => perform(action));
    expect(action).toHaveBeenCalledOnce();
    expect(request).toBeNull();
  });

  it('waits until a guest has logged in', async () => {
    await signedIn(null);
    const action = vi.fn();
    await act(() => perform(action));
    expect(action).not.toHaveBeenCalled();
    expect(request?.action).toBe(action);
  });

  it('asks again if the session has ended', async () => {
    await signedIn(ME);
    const action = () => Promise.reject(new ApiError(401, { code: 'need_auth', field: 'notify' }));
    await act(() => perform(action));
    expect(request?.action).toBe(action);
    expect(me).toBeNull();
    expect(shown).not.toHaveBeenCalled();
  });

  it('reports other errors', async () => {
    await signedIn(ME);
    const info = { retry_after: 120 };
    await act(() =>
      perform(() => Promise.reject(new ApiError(429, { code: 'too_many_attempts', info }))),
    );
    expect(shown).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('2 minutes'), 'error');
    expect(request).toBeNull();
  });
});
