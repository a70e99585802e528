/** How fast a file is sent, and how long the rest takes. Pure. */

/** Bytes that had been sent at a moment, in milliseconds. */
export interface Sample {
  at: number;
  bytes: number;
}

/** A line's speed is that of the last seconds: shorter jumps, longer lags behind. */
const WINDOW_MS = 8000;
/** From less nothing can be told. */
const SHORTEST_MS = 1000;

/** The samples that still count, with the latest. What has to be sent again begins anew. */
export function withSample(samples: readonly Sample[], latest: Sample): Sample[] {
  const before = samples.at(-1);
  if (before && latest.bytes < before.bytes) return [latest];
  return [...samples.filter(({ at }) => latest.at - at <= WINDOW_MS), latest];
}

/** Bytes a second, or null until it can be told. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return null;
  const span = last.at - first.at;
  return span < SHORTEST_MS ? null : ((last.bytes - first.bytes) * 1000) / span;
}

/** Seconds until all is sent, or null where nothing moves. */
export const secondsLeft = (rate: number | null, left: number): number | null =>
  rate === null || rate <= 0 ? null : left / rate;
