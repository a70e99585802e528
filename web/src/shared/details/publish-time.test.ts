import { beforeEach, expect, it, vi } from 'vitest';
import { fromField, fullTime, toField, zoneName } from './publish-time';

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin');
});

it('converts between the zone of the browser and UTC, in winter and in summer', () => {
  for (const [time, value] of [
    ['2027-01-31T17:00:00.000Z', '2027-01-31T18:00'],
    ['2027-07-31T16:00:00.000Z', '2027-07-31T18:00'],
  ] as const) {
    expect(toField(time)).toBe(value);
    expect(fromField(value, '')).toBe(time);
  }
  expect(toField('')).toBe('');
  expect(fromField('', '2027-01-31T17:00:00Z')).toBe('');
  expect(fromField('nonsense', '')).toBe('');
});

it('keeps the seconds of a time that is not changed', () => {
  expect(fromField('2027-01-31T18:00', '2027-01-31T17:00:30Z')).toBe('2027-01-31T17:00:30Z');
});

it('names the zone', () => {
  expect(fullTime('2027-01-31T17:00:00Z', 'de')).toBe('31. Januar 2027 um 18:00 MEZ');
  expect(zoneName('2027-01-31T18:00', 'de')).toBe('Mitteleuropäische Normalzeit (Europe/Berlin)');
  expect(zoneName('2027-07-31T18:00', 'de')).toBe('Mitteleuropäische Sommerzeit (Europe/Berlin)');
});
