import { expect, it } from 'vitest';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { pollEvery } from './uploads-query';

type PolledUpload = Parameters<typeof pollEvery>[0][number];
const upload = (state: string, status_id?: UploadStatus): PolledUpload => ({
  token: 'a',
  state,
  is_kept: false,
  video:
    status_id === undefined
      ? null
      : {
          video_id: 7,
          status_id,
          reason: null,
          publish_at: null,
          shots: [],
          has_lost_audio: false,
        },
});
const NONE = new Set<string>();

it.each([
  ['nothing', [], false],
  ['work', [upload('processing')], 2000],
  [
    'work beside other things',
    [upload('failed'), upload('done', UPLOAD_STATUS.inReview), upload('processing')],
    2000,
  ],
  ['a decision', [upload('done', UPLOAD_STATUS.inReview)], 30_000],
  ['a picture, which is chosen for who doesn’t', [upload('done', UPLOAD_STATUS.draft)], 30_000],
  ['a time of publication', [upload('done', UPLOAD_STATUS.scheduled)], 30_000],
  ['a file of another window', [upload('receiving')], 30_000],
  ['a failure of the site', [{ ...upload('failed'), is_kept: true }], 30_000],
  ['what only the member can change', [upload('received')], false],
  [
    'what has ended',
    [
      upload('failed'),
      upload('done', UPLOAD_STATUS.published),
      upload('done', UPLOAD_STATUS.rejected),
    ],
    false,
  ],
])('asks again for %s', (_, uploads, pause) => {
  expect(pollEvery(uploads, NONE)).toBe(pause);
});

it('doesn’t poll for uploads sent by this page', () => {
  expect(pollEvery([upload('receiving')], new Set(['a']))).toBe(false);
});
