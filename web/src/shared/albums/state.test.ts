import { expect, it } from 'vitest';
import { MEMBER_STATUS, UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { albumState, mayDelete } from './state';

const album = (status_id: UploadStatus, is_private = false) => ({ status_id, is_private });
const { published, inReview, draft, rejected } = UPLOAD_STATUS;
const ALL = [published, inReview, draft, rejected];

it('derives an album’s state for its owner', () => {
  expect(ALL.map((status) => albumState(album(status)))).toEqual([
    'published',
    'moderation',
    'draft',
    'rejected',
  ]);
  expect(albumState(album(published, true))).toBe('isPrivate');
  expect(albumState(album(inReview, true))).toBe('moderation');
});

it('lets some members delete any album, and everyone drafts', () => {
  expect(ALL.map((status) => mayDelete(album(status), MEMBER_STATUS.managesUploads))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(ALL.map((status) => mayDelete(album(status), MEMBER_STATUS.ordinary))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
