import { describe, expect, it } from 'vitest';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import {
  coverOf,
  hasFile,
  lastForm,
  NEW,
  progressOf,
  waitingPicture,
  withMoved,
  without,
  withPicture,
  workOf,
  type Own,
  type OwnPhoto,
} from './work';

const photo = (photo_id: number, is_cover = false): OwnPhoto => ({
  photo_id,
  src: `/${String(photo_id)}-640.jpg`,
  thumb: `/${String(photo_id)}-320.jpg`,
  large: `/${String(photo_id)}-1600.jpg`,
  width: 800,
  height: 600,
  is_cover,
});
const DETAILS = {
  title: 'Harbour',
  description: '',
  lang: 'en',
  orientation: 'str',
  categories: [],
  models: [],
  isPrivate: false,
} as const;
const PHOTOS = [photo(1), photo(2, true), photo(3)];
const own = (status_id: UploadStatus): Own => ({
  album_id: 7,
  status_id,
  reason: null,
  title: 'Harbour',
  description: '',
  lang: 'en',
  gender: 'str',
  categories: ['night'],
  models: [],
  visible: 0,
  photos: PHOTOS,
});
const published = workOf(own(UPLOAD_STATUS.published), DETAILS);
const file = (name: string, size = 4) =>
  new File(['x'.repeat(size)], name, { lastModified: 1_700_000_000_000 });
const keys = ({ pictures }: typeof NEW) => pictures.map(({ key }) => key);

describe('an album from the server', () => {
  it('keeps the order and the cover', () => {
    expect(published).toMatchObject({ albumId: 7, isDraft: false, cover: 'photo-2' });
    expect(keys(published)).toEqual(['photo-1', 'photo-2', 'photo-3']);
    expect(workOf(own(UPLOAD_STATUS.draft), DETAILS).isDraft).toBe(true);
  });
  it('needs no request without changes', () => {
    expect(lastForm(published)).toBeNull();
  });
  it('is submitted without changes if it is a draft', () => {
    expect(lastForm(workOf(own(UPLOAD_STATUS.draft), DETAILS))).toEqual({
      order: '1,2,3',
      cover: 2,
    });
  });
});

it('sends a changed order', () => {
  expect(lastForm(withMoved(published, 0, 2))).toEqual({ order: '2,3,1', cover: 2 });
});

it('sends a changed cover', () => {
  expect(lastForm({ ...published, cover: 'photo-3' })).toEqual({ order: '1,2,3', cover: 3 });
});

it('sends removals; the first picture replaces a removed cover', () => {
  const less = without(published, ({ key }) => key === 'photo-2');
  expect(coverOf(less)).toBe('photo-1');
  expect(lastForm(less)).toEqual({ remove: '2', order: '1,3', cover: 1 });
  // An earlier request has removed the photo.
  expect(lastForm({ ...less, known: [photo(1, true), photo(3)] })).toBeNull();
});

it('counts only what is sent', () => {
  let work = published;
  for (const [key, size] of [
    ['a', 10],
    ['b', 30],
    ['c', 50],
  ] as const) {
    work = { ...work, pictures: [...work.pictures, waitingPicture(key, file(key, size))] };
  }
  work = withPicture(work, 'a', { state: 'uploaded', photoId: 4, sent: 9 });
  work = withPicture(work, 'b', { state: 'sending', sent: 12 });
  work = withPicture(work, 'c', { state: 'refused', doubt: 'kind' });
  expect(progressOf(work)).toEqual({ total: 2, done: 1, bytes: 40, sent: 22 });
  expect(without(work, ({ key }) => key === 'c').removed).toEqual([]);
});

it('recognizes a file', () => {
  const work = { ...NEW, pictures: [waitingPicture('a', file('a.jpg'))] };
  expect(hasFile(work, file('a.jpg'))).toBe(true);
  expect(hasFile(work, file('b.jpg'))).toBe(false);
  expect(hasFile(work, file('a.jpg', 5))).toBe(false);
});
