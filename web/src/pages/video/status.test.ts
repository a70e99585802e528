import { describe, expect, it } from 'vitest';
import { videoStatus } from './status';

describe('status', () => {
  it.each([
    [{ status_id: 5, is_private: true }, 'deleted'],
    [{ status_id: 1, is_private: true }, 'private'],
    [{ status_id: 1, is_private: false }, 'active'],
  ])('%j is %s', (video, status) => {
    expect(videoStatus(video)).toBe(status);
  });
});
