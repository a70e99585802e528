import { describe, expect, it } from 'vitest';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { isOpen, rowsOf, stageOf, type UploadItem } from './rows';
import { UNKNOWN } from './file-checks';
import type { Transfer } from './transfers';

const upload = (change: Partial<UploadItem> = {}): UploadItem => ({
  url: '/api/uploads/a',
  token: 'a',
  file_name: 'film.mp4',
  size_bytes: 4,
  received_bytes: 1,
  state: 'receiving',
  error_code: null,
  expires_at: '2026-10-01T12:00:00Z',
  title: null,
  step: null,
  percent: null,
  retry_at: null,
  is_kept: false,
  replaces: null,
  video: null,
  ...change,
});
const transfer = (change: Partial<Transfer> = {}): Transfer => ({
  key: 'file-1',
  file: new File(['film'], 'film.mp4'),
  state: 'sending',
  token: 'a',
  sent: 2,
  rate: null,
  isRetrying: false,
  facts: UNKNOWN,
  doubt: null,
  failure: null,
  replaces: null,
  sentAt: null,
  ...change,
});
const video = (status_id: UploadStatus) => ({
  state: 'done',
  video: {
    video_id: 7,
    status_id,
    reason: null,
    publish_at: null,
    shots: [],
    has_lost_audio: false,
  },
});

describe('the stage of an upload', () => {
  it.each([
    [{}, 'interrupted'],
    [{ state: 'received' }, 'undescribed'],
    [{ state: 'received', title: 'A' }, 'waiting'],
    [{ state: 'processing', step: null }, 'waiting'],
    [{ state: 'processing', step: 'waiting' }, 'waiting'],
    [{ state: 'processing', step: 'encoding' }, 'working'],
    [{ state: 'failed', error_code: 'video_duplicate' }, 'failed'],
    [video(UPLOAD_STATUS.published), 'published'],
    [video(UPLOAD_STATUS.inReview), 'moderation'],
    [video(UPLOAD_STATUS.draft), 'choosing'],
    [video(UPLOAD_STATUS.rejected), 'rejected'],
    [video(UPLOAD_STATUS.scheduled), 'scheduled'],
  ])('of which this page has no file, %o: %s', (change, stage) => {
    expect(stageOf(upload(change), undefined)).toBe(stage);
  });

  it('comes from this page until the file is complete, then from the server', () => {
    expect(stageOf(undefined, transfer({ state: 'queued', token: null }))).toBe('queued');
    expect(stageOf(upload(), transfer())).toBe('sending');
    expect(stageOf(upload(), transfer({ state: 'paused' }))).toBe('paused');
    expect(stageOf(upload({ state: 'processing' }), transfer())).toBe('waiting');
    expect(stageOf(upload(video(UPLOAD_STATUS.draft)), transfer({ state: 'sent' }))).toBe(
      'choosing',
    );
  });

  it('of a just completed file depends on its details', () => {
    const sent = transfer({ state: 'sent' });
    expect(stageOf(undefined, sent)).toBe('undescribed');
    expect(stageOf(upload(), sent)).toBe('undescribed');
    expect(stageOf(upload({ title: 'A' }), sent)).toBe('waiting');
    expect(stageOf(undefined, { ...sent, replaces: 7 })).toBe('waiting');
  });

  it('shows whether details are still missing', () => {
    expect(isOpen('sending')).toBe(true);
    expect(isOpen('undescribed')).toBe(true);
    expect(isOpen('refused')).toBe(false);
    expect(isOpen('working')).toBe(false);
    expect(isOpen('failed')).toBe(false);
  });
});

describe('the rows', () => {
  const keys = (...given: Parameters<typeof rowsOf>) => rowsOf(...given).map(({ key }) => key);

  it('are files in their order, then the server’s other uploads, each once', () => {
    const uploads = [upload({ token: 'c' }), upload({ token: 'b' }), upload({ token: 'a' })];
    const files = [transfer(), transfer({ key: 'file-2', token: null, state: 'queued' })];
    expect(keys(uploads, files, 0)).toEqual(['file-1', 'file-2', 'c', 'b']);
  });

  it('name the video that gets the file, as the server or this page knows it', () => {
    const files = [transfer({ token: null, replaces: 7 })];
    const rows = rowsOf([upload({ token: 'b', replaces: 8 }), upload({ token: 'c' })], files, 0);
    expect(rows.map(({ replaces }) => replaces)).toEqual([7, 8, null]);
  });

  it('keep their places when a file is chosen again', () => {
    const uploads = [upload({ token: 'b' }), upload({ token: 'a' })];
    const again = transfer({ key: 'a', token: 'a' });
    expect(keys(uploads, [again], 0)).toEqual(['b', 'a']);
    expect(rowsOf(uploads, [again], 0)[1]).toMatchObject({ stage: 'sending', sent: 2, size: 4 });
  });

  it('keep a file whose upload is gone, so that it can be sent again', () => {
    expect(keys([], [transfer({ key: 'a', token: null, state: 'broken' })], 0)).toEqual(['a']);
    expect(keys([], [transfer({ key: 'a', token: 'a' })], 0)).toEqual(['a']);
  });

  it('drop uploads removed elsewhere, once the server was asked after their end', () => {
    const sent = transfer({ state: 'sent', sentAt: 100 });
    expect(keys([], [sent], 99)).toEqual(['file-1']);
    expect(keys([], [sent], 101)).toEqual([]);
    expect(keys([upload({ state: 'received' })], [sent], 101)).toEqual(['file-1']);
  });
});
