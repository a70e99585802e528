/** Estimates the upload rate and the remaining time. This module is pure. */

/** How many bytes had been sent at a point in time, which is in milliseconds. */
export interface Sample {
  at: number;
  bytes: number;
}

/** How many seconds the average covers. With shorter windows it jumps, and with longer ones it lags. */
const WINDOW_MS = 8000;
/** Shorter periods are not enough for an estimate. */
const SHORTEST_MS = 1000;

/** Adds the latest sample and drops old ones. It starts over when bytes are sent again. */
export function withSample(samples: readonly Sample[], latest: Sample): Sample[] {
  const before = samples.at(-1);
  if (before && latest.bytes < before.bytes) return [latest];
  return [...samples.filter(({ at }) => latest.at - at <= WINDOW_MS), latest];
}

/** Returns bytes per second, or null if the rate isn't known yet. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return null;
  const span = last.at - first.at;
  return span < SHORTEST_MS ? null : ((last.bytes - first.bytes) * 1000) / span;
}

/** Returns the seconds until the upload is done, or null if it has stalled. */
export const secondsLeft = (rate: number | null, left: number): number | null =>
  rate === null || rate <= 0 ? null : left / rate;
