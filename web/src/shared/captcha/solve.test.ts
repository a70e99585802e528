import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { payload, solve, type Challenge } from './solve';

const made = (number: number, maxnumber: number): Challenge => {
  const salt = 'c0ffee?expires=1790000000&';
  const challenge = createHash('sha256')
    .update(`${salt}${String(number)}`)
    .digest('hex');
  return { algorithm: 'SHA-256', challenge, maxnumber, salt, signature: 'ab12' };
};

describe('the proof of work', () => {
  // These numbers are at the ends of the range and of a batch.
  it.each([0, 1, 511, 512, 1999, 2000])('finds %i', async (number) =>
    expect(await solve(made(number, 2000))).toBe(number),
  );

  it('stops at the largest number', async () => expect(await solve(made(2001, 2000))).toBeNull());

  it('is encoded as the protocol requires', () => {
    const challenge = made(7, 10);
    const { maxnumber: _, ...rest } = challenge;
    expect(JSON.parse(atob(payload(challenge, 7)))).toEqual({ ...rest, number: 7 });
  });
});
