import { describe, expect, it } from 'vitest';
import { UPLOAD_STATUS } from '@/api/status';
import { videoStatus } from './status';

describe('status', () => {
  it.each([
    [{ status_id: UPLOAD_STATUS.deleted, is_private: true }, 'deleted'],
    [{ status_id: UPLOAD_STATUS.published, is_private: true }, 'private'],
    [{ status_id: UPLOAD_STATUS.published, is_private: false }, 'active'],
  ])('%j is %s', (video, status) => {
    expect(videoStatus(video)).toBe(status);
  });
});
