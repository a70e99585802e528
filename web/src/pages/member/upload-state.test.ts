import { describe, expect, it } from 'vitest';
import { UPLOAD_STATUS } from '@/api/status';
import { daysOf, stateOf } from './upload-state';

describe('an upload', () => {
  it.each([
    [{}, 'isPublic'],
    [{ status_id: UPLOAD_STATUS.published, is_private: true }, 'isPrivate'],
    [{ status_id: UPLOAD_STATUS.inReview, is_private: true }, 'waiting'],
    [{ status_id: UPLOAD_STATUS.draft }, 'processing'],
    [{ status_id: UPLOAD_STATUS.rejected }, 'rejected'],
    [{ status_id: UPLOAD_STATUS.scheduled, is_private: true }, 'scheduled'],
    [{ status_id: UPLOAD_STATUS.deleted, is_private: true }, 'deleted'],
  ])('%o is %s', (video, state) => {
    expect(stateOf(video)).toBe(state);
  });
  it.each([
    ['7', 7],
    ['365', 365],
    ['0', null],
    ['366', null],
    ['1.5', null],
    ['', null],
    ['soon', null],
  ])('added again after %j days: %s', (text, days) => {
    expect(daysOf(text)).toBe(days);
  });
});
