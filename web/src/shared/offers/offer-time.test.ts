// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { clock, closeOffer, offeredSince } from './offer-time';

const offer = { url: 'https://pay.example/', seconds: 3600, again_days: 7 };
const [HOUR, DAY] = [3_600_000, 86_400_000];
const T0 = 1_000 * DAY;

beforeEach(() => localStorage.clear());

it('lasts an hour from first view, across reloads, and returns after a week', () => {
  expect(offeredSince(offer, T0)).toBe(T0);
  expect(offeredSince(offer, T0 + HOUR - 1)).toBe(T0);
  expect(offeredSince(offer, T0 + HOUR)).toBeNull();
  expect(offeredSince(offer, T0 + 7 * DAY - 1)).toBeNull();
  expect(offeredSince(offer, T0 + 7 * DAY)).toBe(T0 + 7 * DAY);
});

it('is gone for a week once closed', () => {
  closeOffer(offeredSince(offer, T0) ?? 0);
  expect(offeredSince(offer, T0 + 1)).toBeNull();
  expect(offeredSince(offer, T0 + 7 * DAY)).toBe(T0 + 7 * DAY);
});

it('formats the time like a clock', () =>
  expect([3600, 3599, 61, 0].map(clock)).toEqual(['01:00:00', '59:59', '01:01', '00:00']));
