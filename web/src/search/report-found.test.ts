import { expect, it, vi } from 'vitest';
import { reportFound } from './report-found';

it('reports the opened result with its query and position', () => {
  const sendBeacon = vi.fn();
  vi.stubGlobal('navigator', { sendBeacon });
  reportFound({ video_id: 7, query: 'night market', lang: 'en', place: 61 });
  const [address, fields] = sendBeacon.mock.calls[0] as [string, URLSearchParams];
  expect(address).toBe('/api/stat.php');
  expect(Object.fromEntries(fields)).toEqual({
    act: 'found',
    object_id: '7',
    s: 'night market',
    lang: 'en',
    position: '61',
  });
});
