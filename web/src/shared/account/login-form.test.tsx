// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { LoginForm } from './login-form';

vi.mock('@/shared/captcha/use-captcha', () => ({
  CaptchaPlace: () => null,
  useProof: () => ({ captcha: null, sending: (send: () => unknown) => send() }),
}));

it('reports too many attempts with the login’s own text and the wait', async () => {
  const refusal = { code: 'too_many_attempts', info: { retry_after: 600 } };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal, { status: 429 })));
  await render(<LoginForm next="/" onDone={vi.fn()} />, queryClient);
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
});
