import { expect, it } from 'vitest';
import { albumState, mayDelete } from './state';

const album = (status_id: number, is_private = false) => ({ status_id, is_private });

it('derives an album’s state for its owner', () => {
  expect([1, 2, 3, 4].map((status) => albumState(album(status)))).toEqual([
    'published',
    'moderation',
    'draft',
    'rejected',
  ]);
  expect(albumState(album(1, true))).toBe('isPrivate');
  expect(albumState(album(2, true))).toBe('moderation');
});

it('lets some members delete any album, and everyone drafts', () => {
  expect([1, 2, 3, 4].map((status) => mayDelete(album(status), 6))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([1, 2, 3, 4].map((status) => mayDelete(album(status), 1))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
