// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act, Suspense, useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MEMBER_STATUS } from '@/api/status';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { closeLogin, useLoginRequest } from '@/shared/account/login-request';
import { meQuery, useMe } from '@/shared/account/use-me';
import { useWanted } from '@/shared/account/wanted';
import { useAddress } from '@/lib/use-address';
import UploadScreen from './upload-screen';

vi.mock('./uploads', () => ({ Uploads: () => 'your uploads' }));

let client: QueryClient;
let isAsked: boolean;

let action: (() => unknown) | null | undefined;

/** Works like the app: it renders the address's screen, and handles login as the header does. */
function Site() {
  const { pathname } = useAddress();
  useWanted(useMe());
  return pathname === '/upload-video/' ? <UploadScreen /> : null;
}

function Probe() {
  const request = useLoginRequest();
  useEffect(() => {
    action = request?.action;
  }, [request]);
  useEffect(() => {
    isAsked = request !== null;
  }, [request]);
  return null;
}

beforeEach(async () => {
  history.replaceState(null, '', '/upload-video/');
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(meQuery.queryKey, { user: null });
  await render(
    <>
      <Suspense>
        <Site />
      </Suspense>
      <Probe />
    </>,
    client,
  );
  await until(() => {
    expect(isAsked).toBe(true);
  });
});
afterEach(() => {
  act(closeLogin);
  document.title = '';
});

it('sends a guest home, where the login opens', () => {
  expect(location.pathname + location.search).toBe('/');
  act(closeLogin);
  expect(location.pathname + location.search).toBe('/');
});

it('sends a guest on after login', async () => {
  await act(async () => {
    // As in the dialog, the data is set before the screen renders.
    client.setQueryData(meQuery.queryKey, {
      user: {
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
      },
    });
    closeLogin();
    await action?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
  expect(document.body.textContent).toContain('your uploads');
  expect(location.pathname).toBe('/upload-video/');
});
