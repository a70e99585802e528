/** How long an offer has been shown to a visitor, as recorded in local storage. Apart from that, this is pure. */
import type { PremiumOffer } from '@/lib/offers';
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.premium-offer';
const DAY_MS = 86_400_000;

interface Made {
  /** When the offer was first viewed, in milliseconds. */
  since: number;
  isClosed: boolean;
}

const isMade = (value: unknown): value is Made | null =>
  value === null ||
  (typeof value === 'object' &&
    typeof (value as Made).since === 'number' &&
    typeof (value as Made).isClosed === 'boolean');

/** Returns when the offer started, or `null` if it ended or was closed recently. */
export function offeredSince({ seconds, again_days }: PremiumOffer, now: number): number | null {
  const made = readStored(KEY, isMade, null);
  // If the clock was set back, a new offer starts.
  if (made && made.since <= now && now < made.since + again_days * DAY_MS) {
    return made.isClosed || now >= made.since + seconds * 1000 ? null : made.since;
  }
  writeStored(KEY, { since: now, isClosed: false });
  return now;
}

export function closeOffer(since: number): void {
  writeStored(KEY, { since, isClosed: true });
}

/** Formats minutes and seconds, and also hours if there are any. */
export function clock(left: number): string {
  const [hours, minutes, seconds] = [left / 3600, (left / 60) % 60, left % 60].map(Math.floor);
  const parts = hours ? [hours, minutes, seconds] : [minutes, seconds];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
