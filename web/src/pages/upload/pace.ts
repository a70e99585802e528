/** Upload rate and remaining time. Pure. */

/** Bytes sent by a point in time, in milliseconds. */
export interface Sample {
  at: number;
  bytes: number;
}

/** Averages the last seconds: shorter windows jump, longer ones lag. */
const WINDOW_MS = 8000;
/** Too short to estimate below this. */
const SHORTEST_MS = 1000;

/** Adds the latest sample and drops old ones. Restarts when bytes are sent again. */
export function withSample(samples: readonly Sample[], latest: Sample): Sample[] {
  const before = samples.at(-1);
  if (before && latest.bytes < before.bytes) return [latest];
  return [...samples.filter(({ at }) => latest.at - at <= WINDOW_MS), latest];
}

/** Bytes per second, or null until known. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return null;
  const span = last.at - first.at;
  return span < SHORTEST_MS ? null : ((last.bytes - first.bytes) * 1000) / span;
}

/** Seconds until done, or null when stalled. */
export const secondsLeft = (rate: number | null, left: number): number | null =>
  rate === null || rate <= 0 ? null : left / rate;
