import { describe, expect, it } from 'vitest';
import { rateOf, secondsLeft, withSample, type Sample } from './pace';

const collect = (...samples: [number, number][]): Sample[] =>
  samples.reduce<Sample[]>((kept, [at, bytes]) => withSample(kept, { at, bytes }), []);

describe('a rate', () => {
  it('needs a second', () => {
    expect(rateOf([])).toBeNull();
    expect(rateOf(collect([0, 0]))).toBeNull();
    expect(rateOf(collect([0, 0], [999, 500]))).toBeNull();
    expect(rateOf(collect([0, 0], [1000, 500]))).toBe(500);
  });
  it('is that of the last seconds', () => {
    const steady = collect([0, 0], [2000, 2000], [4000, 4000]);
    expect(rateOf(steady)).toBe(1000);
    // Averaged from 0 on, the rate would still be 1,000 bytes per second, but the connection has since become slower.
    const slower = [6000, 8000, 10_000, 12_000].reduce(
      (kept, at) => withSample(kept, { at, bytes: 4000 + (at - 4000) / 10 }),
      steady,
    );
    expect(rateOf(slower)).toBeCloseTo(100);
  });
  it('restarts when bytes are sent again', () => {
    const back = collect([0, 0], [2000, 2000], [3000, 500]);
    expect(rateOf(back)).toBeNull();
    expect(rateOf(withSample(back, { at: 5000, bytes: 1500 }))).toBe(500);
  });
});

describe('the time left', () => {
  it('is the rest divided by the rate', () => {
    expect(secondsLeft(500, 2000)).toBe(4);
    expect(secondsLeft(500, 0)).toBe(0);
  });
  it('is unknown when stalled', () => {
    expect(secondsLeft(null, 2000)).toBeNull();
    expect(secondsLeft(0, 2000)).toBeNull();
  });
});
