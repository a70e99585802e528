/** A guest's votes today, in local storage. The server identifies guests by their address, which may change by tomorrow. */
import { readStored, writeStored } from '@/lib/storage';
import type { Vote } from './vote-count';

const KEY = 'lantern.votes';

interface Kept {
  /** The day in UTC, because the server counts days in UTC. */
  day: string;
  /** The votes by object name. */
  votes: Record<string, Vote>;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'day' in value &&
  typeof value.day === 'string' &&
  'votes' in value &&
  typeof value.votes === 'object' &&
  value.votes !== null &&
  Object.values(value.votes).every((vote) => vote === 1 || vote === -1);

const today = (): string => new Date().toISOString().slice(0, 10);

function read(): Kept {
  const none: Kept = { day: today(), votes: {} };
  const kept = readStored(KEY, isKept, none);
  return kept.day === none.day ? kept : none;
}

export const guestVote = (object: string): Vote | 0 => read().votes[object] ?? 0;

export function storeGuestVote(object: string, vote: Vote | 0): void {
  const { day, votes } = read();
  const others = Object.fromEntries(Object.entries(votes).filter(([name]) => name !== object));
  writeStored(KEY, { day, votes: vote === 0 ? others : { ...others, [object]: vote } });
}
