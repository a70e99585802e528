// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { queryClient } from '@/lib/query';
import { until } from '@/lib/until';
import { VisitorProvider } from '@/lib/visitor';
import { LoginForm } from './login-form';

vi.mock('@/shared/captcha/use-captcha', () => ({
  CaptchaPlace: () => null,
  useProof: () => ({ captcha: null, sending: (send: () => unknown) => send() }),
}));

it('reports too many attempts with the login’s own text and the wait', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const refusal = { code: 'too_many_attempts', info: { retry_after: 600 } };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal, { status: 429 })));
  await startI18n('en');
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => {
    root.render(
      <QueryClientProvider client={queryClient}>
        <VisitorProvider lang="en" country="US">
          <Suspense>
            <LoginForm next="/" onDone={vi.fn()} />
          </Suspense>
        </VisitorProvider>
      </QueryClientProvider>,
    );
    await Promise.resolve();
  });
  const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
  await until(() => expect(field('pwd')).not.toBeNull());
  for (const [name, value] of [
    ['usr', 'olga'],
    ['pwd', 'correct horse'],
  ] as const) {
    const input = field(name);
    if (input) input.value = value;
  }
  act(() => document.querySelector('form')?.requestSubmit());
  await until(() =>
    expect(document.querySelector('[role=alert]')?.textContent).toBe(
      'Too many authorization attempts. Try again later. Time left: 10 minutes.',
    ),
  );
  act(() => root.unmount());
});
