import { expect, it } from 'vitest';
import { inOrder, withoutMessage, withSent, type Thread } from './thread';

const message = (message_id: number) => ({
  message_id,
  own: false,
  text: String(message_id),
  created_at: '2026-01-01T00:00:00Z',
  read: true,
});
const page = (ids: number[]) => ({
  messages: ids.map(message),
  total_count: 5,
  pages: 2,
  user: { user_id: 2, username: 'mika', avatar: null },
});
const thread: Thread = { pages: [page([5, 4, 3]), page([3, 2, 1])], pageParams: [1, 2] };
const ids = (from: Thread) => inOrder(from).map(({ message_id }) => message_id);

it('lists oldest first, each message once', () => expect(ids(thread)).toEqual([1, 2, 3, 4, 5]));

it('ends with the message being sent', () => {
  const sent = inOrder(withSent(thread, 'hello', new Date(7)));
  expect(sent.at(-1)).toMatchObject({ text: 'hello', own: true, message_id: -7 });
  expect(sent).toHaveLength(6);
});

it('removes deleted messages', () => expect(ids(withoutMessage(thread, 3))).toEqual([1, 2, 4, 5]));
