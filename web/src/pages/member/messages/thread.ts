/** The calls for a conversation, and how new messages are added to it. */
import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import type { Answer, Schema } from '@/api/call';
import { fetchAnswer } from '@/api/client';

export type Message = Schema<'Message'>;
/** A page of messages, newest first. */
export type MessagesAnswer = Answer<'/api/messages.php'>;
export type Thread = InfiniteData<MessagesAnswer, number>;

/** Polling interval while the conversation is open. */
const POLL_MS = 15_000;

export const threadQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['messages', id],
    queryFn: ({ pageParam: page, signal }) =>
      fetchAnswer('/api/messages.php', { with: id, page }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (page < last.pages ? page + 1 : undefined),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });

/** Returns all loaded messages in reading order, i.e. oldest first and each only once. */
export function inOrder({ pages }: Pick<Thread, 'pages'>): Message[] {
  const byId = new Map(
    pages.flatMap(({ messages }) => messages).map((message) => [message.message_id, message]),
  );
  return [...byId.values()].toReversed();
}

/** Adds a message that is being sent. */
export function withSent(thread: Thread, text: string, now: Date): Thread {
  const [first, ...rest] = thread.pages;
  if (!first) return thread;
  const message: Message = {
    message_id: -now.getTime(),
    own: true,
    text,
    created_at: now.toISOString(),
    read: false,
  };
  return { ...thread, pages: [{ ...first, messages: [message, ...first.messages] }, ...rest] };
}

export const withoutMessage = (thread: Thread, id: number): Thread => ({
  ...thread,
  pages: thread.pages.map((page) => ({
    ...page,
    messages: page.messages.filter(({ message_id }) => message_id !== id),
  })),
});
