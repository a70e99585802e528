// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchAnswer, post } from '@/api/client';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { ApiError } from '@/lib/http';
import type { Details } from '@/shared/details/details';
import { stop, upload } from './run';
import { sendPicture } from './send-picture';
import { NEW, waitingPicture, withMoved, type OwnPhoto } from './work';
import { changeWork, dropWork, findWork, setWork } from './works';

vi.mock('./add-pictures', () => ({ checked: () => Promise.resolve() }));
vi.mock('./send-picture', () => ({ sendPicture: vi.fn() }));
vi.mock('@/api/client', () => ({ post: vi.fn(), fetchAnswer: vi.fn() }));

const DETAILS: Details = {
  title: 'Harbour',
  description: '',
  lang: 'en',
  orientation: 'str',
  categories: [{ dir: 'night', title: 'Night' }],
  models: [],
  isPrivate: false,
};
/** Pictures on the server, by name. */
let there: { id: number; name: string }[];
let state: UploadStatus;
/** The requests in order. */
let requests: string[];
let count: number;

const photos = (): OwnPhoto[] =>
  there.map(({ id }, at) => ({
    photo_id: id,
    src: '',
    thumb: '',
    large: '',
    width: 800,
    height: 600,
    is_cover: at === 0,
  }));
const take = (file: File) => {
  count += 1;
  there.push({ id: count, name: file.name });
};
const answer = () => ({ ok: 1, album_id: 7, status_id: state, photos: photos(), refused: [] });

const begin = (...names: string[]) => {
  setWork('new', {
    ...NEW,
    pictures: names.map((name) => ({
      ...waitingPicture(name, new File(['xx'], name)),
      state: 'ready' as const,
    })),
  });
};
const states = () => findWork('new')?.pictures.map((picture) => picture.state);

beforeEach(() => {
  there = [];
  requests = [];
  state = UPLOAD_STATUS.draft;
  count = 30;
  vi.mocked(sendPicture).mockImplementation((fields, file) => {
    requests.push(`send ${file.name} ${JSON.stringify(fields)}`);
    take(file);
    return Promise.resolve(answer());
  });
  vi.mocked(post).mockImplementation((_, fields) => {
    requests.push(`post ${JSON.stringify(fields)}`);
    if (!('draft' in fields)) {
      state = UPLOAD_STATUS.inReview;
      const order = (fields as { order: string }).order.split(',').map(Number);
      there.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
    }
    return Promise.resolve(answer());
  });
  vi.mocked(fetchAnswer).mockImplementation(() => {
    requests.push('look');
    return Promise.resolve({ album: { photos: photos() } }) as never;
  });
});
afterEach(() => {
  dropWork('new');
  vi.useRealTimers();
});

const SAID =
  '{"title":"Harbour","description":"","lang":"en","orientation":"str","categories":"night","models":"","visible":0,"draft":true}';
const TO = '{"album_id":7,"draft":1}';

it('sends the details, then the pictures in order, then submits', async () => {
  begin('a', 'b');
  expect(await upload('new', DETAILS)).toEqual({ end: 'done', statusId: UPLOAD_STATUS.inReview });
  expect(requests).toEqual([
    `post ${SAID}`,
    `send a ${TO}`,
    `send b ${TO}`,
    'post {"album_id":7,"order":"31,32","cover":31}',
  ]);
  expect(states()).toEqual(['uploaded', 'uploaded']);
  expect(findWork('new')).toMatchObject({ isSending: false, isDraft: false });
});

it('keeps moves made during the upload', async () => {
  begin('a', 'b');
  vi.mocked(sendPicture).mockImplementationOnce((_, file) => {
    take(file);
    changeWork('new', (work) => withMoved(work, 0, 1));
    return Promise.resolve(answer());
  });
  await upload('new', DETAILS);
  expect(requests.at(-1)).toBe('post {"album_id":7,"order":"32,31","cover":32}');
});

it('doesn’t submit while a picture is refused', async () => {
  begin('a', 'b');
  vi.mocked(sendPicture).mockRejectedValueOnce(
    new ApiError(422, {
      code: 'invalid_img_size',
      field: 'photos',
      codes: [{ field: 'photos', code: 'invalid_img_size' }],
    }),
  );
  expect(await upload('new', DETAILS)).toEqual({ end: 'refused' });
  expect(states()).toEqual(['refused', 'uploaded']);
  expect(findWork('new')?.pictures[0]?.failure).toEqual({ code: 'invalid_img_size' });
  expect(state).toBe(3);
  // Once the picture is removed, only the remaining steps run.
  requests = [];
  changeWork('new', (work) => ({ ...work, pictures: work.pictures.slice(1) }));
  expect(await upload('new', DETAILS)).toEqual({ end: 'done', statusId: UPLOAD_STATUS.inReview });
  expect(requests).toEqual(['post {"album_id":7,"order":"31","cover":31}']);
});

it('retries after a lost connection, first checking if the picture arrived', async () => {
  vi.useFakeTimers();
  begin('a', 'b');
  vi.mocked(sendPicture)
    .mockImplementationOnce((_, file) => {
      // The picture arrived, but the response was lost.
      take(file);
      return Promise.reject(new ApiError(0, { code: 'offline' }));
    })
    .mockRejectedValueOnce(new ApiError(503, {}));
  const done = upload('new', DETAILS);
  await vi.runAllTimersAsync();
  expect(await done).toEqual({ end: 'done', statusId: UPLOAD_STATUS.inReview });
  expect(there.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(requests.slice(1)).toEqual([
    'look',
    'look',
    `send b ${TO}`,
    'post {"album_id":7,"order":"31,32","cover":31}',
  ]);
});

it('stops at a permanent failure, and resumes from there', async () => {
  begin('a', 'b');
  vi.mocked(sendPicture).mockRejectedValueOnce(new ApiError(403, { code: 'upload_quota' }));
  expect(await upload('new', DETAILS)).toEqual({ end: 'broken' });
  expect(findWork('new')?.failure).toMatchObject({ code: 'upload_quota' });
  expect(states()).toEqual(['ready', 'ready']);
  expect(await upload('new', DETAILS)).toEqual({ end: 'done', statusId: UPLOAD_STATUS.inReview });
  expect(findWork('new')?.failure).toBeNull();
  expect(requests.filter((one) => one.startsWith('post {"title'))).toHaveLength(1);
});

it('stops, and resumes later', async () => {
  begin('a', 'b');
  vi.mocked(sendPicture).mockImplementationOnce((_, __, { signal }) => {
    stop('new');
    expect(signal.aborted).toBe(true);
    return Promise.reject(new ApiError(0, { code: 'offline' }));
  });
  expect(await upload('new', DETAILS)).toEqual({ end: 'stopped' });
  expect(states()).toEqual(['ready', 'ready']);
  expect(await upload('new', DETAILS)).toEqual({ end: 'done', statusId: UPLOAD_STATUS.inReview });
});

it('throws errors in the details', async () => {
  begin('a');
  const wrong = new ApiError(422, { code: 'prohibited_terms', field: 'title' });
  vi.mocked(post).mockRejectedValueOnce(wrong);
  await expect(upload('new', DETAILS)).rejects.toBe(wrong);
  expect(findWork('new')).toMatchObject({ isSending: false, albumId: null });
  expect(requests).toEqual([]);
});
