// @vitest-environment happy-dom
import { useInfiniteQuery } from '@tanstack/react-query';
import { act, Suspense } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { MessageForm } from './message-form';
import { threadQuery } from './thread';

const PARTNER = 7;
const user = { user_id: PARTNER, username: 'mika', avatar: '' };
/** The conversation's pending requests. The test answers each of them. */
let readings: ((messages: object[]) => void)[];
let sent: string[];

function Reader() {
  useInfiniteQuery(threadQuery(PARTNER));
  return null;
}

const rest = () => act(() => new Promise((resolve) => setTimeout(resolve, 10)));
const send = async (text: string) => {
  const box = document.querySelector('textarea');
  if (!box) throw new Error('no form');
  box.value = text;
  act(() => {
    box.form?.requestSubmit();
  });
  await rest();
};

beforeEach(async () => {
  readings = [];
  sent = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      sent.push(String((init.body as URLSearchParams).get('text')));
      const refusal = { code: 'too_many_attempts', field: 'notify', info: { retry_after: 9 } };
      return Promise.resolve(
        sent.length === 1
          ? Response.json({ ok: 1, message_id: 2 })
          : Response.json(refusal, { status: 429 }),
      );
    }
    if (!url.includes('messages.php')) return Promise.resolve(Response.json({}));
    return new Promise((resolve) => {
      readings.push((messages) =>
        resolve(Response.json({ user, messages, total_count: messages.length, pages: 1 })),
      );
    });
  });
  await render(
    <>
      <Reader />
      <Suspense>
        <MessageForm id={PARTNER} />
      </Suspense>
    </>,
  );
  await until(() => expect(document.querySelector('textarea')).not.toBeNull());
});

it('refetches after a refusal, too: the previous message may not be loaded yet', async () => {
  readings[0]?.([]);
  await rest();
  await send('One');
  expect(readings).toHaveLength(2);
  // The second message is sent during the refetch that follows the first, and aborts this refetch.
  await send('Two');
  expect(sent).toEqual(['One', 'Two']);
  expect(readings).toHaveLength(3);
});
