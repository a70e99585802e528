import { expect, it } from 'vitest';
import { addFields, commentsUrl, deleteFields, isOf, likeFields, type Subject } from './subject';

const video: Subject = { section: 'video', id: 1234 };
const wall: Subject = { section: 'wall', id: 7 };
const model: Subject = { section: 'model', id: 9, dir: 'mika-sato' };

it.each([
  [video, 1, false, '/api/json/comments/86400/video/1000/1234.json'],
  [video, 2, true, '/api/json/comments/0/video/1000/1234.json?page=2'],
  [wall, 3, false, '/api/json/member_wall/7200/0/7.3.json'],
  [wall, 1, true, '/api/json/member_wall/0/0/7.1.json'],
  [model, 1, false, '/api/json/model_wall/86400/mi/mika-sato.1.json'],
])('asks for %o, page %i, member %s', (subject, page, member, url) =>
  expect(commentsUrl(subject, page, member)).toBe(url),
);

it.each([
  [video, { sort: 'oldest' }, '/api/json/comments/86400/video/1000/1234.json?sort=oldest'],
  [wall, { thread: 5 }, '/api/json/member_wall/7200/0/7.1.json?thread=5'],
  [model, { sort: 'newest' }, '/api/json/model_wall/86400/mi/mika-sato.1.json'],
] as const)('asks for %o, %o', (subject, part, url) =>
  expect(commentsUrl(subject, 1, false, part)).toBe(url),
);

const short: Subject = { section: 'video', id: 12 };

it.each([
  [video, 1, { sort: 'oldest' }, true],
  [video, 2, {}, true],
  [video, 1, { thread: 5 }, true],
  [wall, 2, { sort: 'most-liked' }, true],
  [model, 2, { thread: 5 }, true],
  [short, 1, {}, true],
  [{ ...short, id: 123 }, 1, {}, false],
  [{ ...short, section: 'album' }, 1, {}, false],
  [{ ...wall, id: 12 }, 2, {}, false],
] as const)('finds the pages of comments on %o: %i, %o, %s', (subject, page, part, isFound) => {
  const about = isFound ? subject : short;
  for (const member of [true, false]) {
    expect(isOf(about)({ queryKey: [commentsUrl(subject, page, member, part)] })).toBe(isFound);
  }
  expect(isOf(about)({ queryKey: ['me'] })).toBe(false);
});

it('comments, replies, likes and deletes', () => {
  expect(addFields(video, 'Calm.', 5)).toMatchObject({ act: 'comm', parent_id: 5 });
  expect(likeFields(wall, 5, true)).toEqual({ act: 'wall_like', section: 'add', wall_id: 5 });
  expect(likeFields(video, 5, false)).toEqual({
    act: 'comm_like',
    section: 'rem',
    comment_id: 5,
  });
  expect(addFields(video, 'Calm.')).toEqual({
    act: 'comm',
    section: 'video',
    object_id: 1234,
    msg: 'Calm.',
  });
  expect(addFields(wall, 'Hello')).toEqual({ act: 'wall', object_id: 7, msg: 'Hello' });
  expect(deleteFields(model, 5)).toEqual({ act: 'comm_del', comment_id: 5 });
  expect(deleteFields(wall, 5)).toEqual({ act: 'wall_del', wall_id: 5 });
});
