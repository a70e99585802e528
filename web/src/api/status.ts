/** Names for the values of `status_id`. catalog/src/status.rs documents them. */
import type { Schema } from './call';

export type UploadStatus = Schema<'UploadStatus'>;
export type MemberStatus = Schema<'MemberStatus'>;

/** Statuses of videos and albums. */
export const UPLOAD_STATUS = {
  published: 1,
  inReview: 2,
  draft: 3,
  rejected: 4,
  deleted: 5,
  scheduled: 6,
} as const satisfies Record<string, UploadStatus>;

/** Statuses of members. */
export const MEMBER_STATUS = {
  ordinary: 1,
  banned: 5,
  managesUploads: 6,
} as const satisfies Record<string, MemberStatus>;
