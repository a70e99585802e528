// @vitest-environment happy-dom
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { post } from '@/api/client';
import { ApiError } from '@/lib/http';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { StepUpProvider, useStepUp } from './step-up';

const STAFF = { until: '2026-09-01T12:00:00Z', reasons: [], documents: [], note_max: 500 };

let sent: string[];
let isStepped: boolean;
let outcomes: unknown[];

const answer = (status: number, body: unknown) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

function Decision() {
  const stepUp = useStepUp();
  const decide = () => {
    void stepUp(() => post('/api/moderate/take_down', { section: 'video', id: 7 })).then(
      () => outcomes.push('done'),
      (error: unknown) => outcomes.push(error instanceof ApiError && error.code),
    );
  };
  return <button onClick={decide}>decide</button>;
}

const button = (label: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => one.textContent === label || one.getAttribute('aria-label') === label,
  );

beforeEach(async () => {
  [sent, outcomes, isStepped] = [[], [], false];
  vi.stubGlobal('fetch', (url: string) => {
    sent.push(url);
    if (url.startsWith('/api/moderate/second_step')) {
      isStepped = true;
      return answer(200, STAFF);
    }
    return isStepped ? answer(200, { ok: 1 }) : answer(403, { code: 'step_up_needed' });
  });
  await render(
    <StepUpProvider>
      <Decision />
    </StepUpProvider>,
  );
  await until(() => expect(button('decide')).toBeTruthy());
});

const decide = async () => {
  await act(async () => {
    button('decide')?.click();
    await Promise.resolve();
  });
  await until(() => expect(document.querySelector('input[name="code"]')).toBeTruthy());
};

it('asks for a code and sends the decision again', async () => {
  await decide();
  expect(outcomes).toEqual([]);
  const field = document.querySelector<HTMLInputElement>('input[name="code"]');
  await act(async () => {
    if (field) field.value = '123456';
    field?.form?.requestSubmit();
    await Promise.resolve();
  });
  await until(() => expect(outcomes).toEqual(['done']));
  expect(sent).toEqual([
    '/api/moderate/take_down',
    '/api/moderate/second_step',
    '/api/moderate/take_down',
  ]);
  await until(() => expect(document.querySelector('input[name="code"]')).toBeNull());
});

it('leaves the decision refused if no code is entered', async () => {
  await decide();
  await act(async () => {
    button('Close')?.click();
    await Promise.resolve();
  });
  await until(() => expect(outcomes).toEqual(['step_up_needed']));
  expect(sent).toEqual(['/api/moderate/take_down']);
});
