import { expect, it } from 'vitest';
import { withLike, withoutComment } from './change';
import type { Comment, CommentsAnswer } from './subject';

const comment = (id: number, more: Partial<Comment> = {}): Comment => ({
  comment_id: id,
  section: 'video',
  object_id: 1,
  parent_id: null,
  is_deleted: false,
  user_id: 2,
  username: 'demo',
  avatar: null,
  comment: 'Calm and elegant.',
  added_date: '2026-05-04T12:00:00Z',
  likes: 1,
  liked: false,
  replies: [],
  total_replies: 0,
  ...more,
});
const page: CommentsAnswer = {
  comments: [comment(9), comment(1, { replies: [comment(2, { parent_id: 1 })], total_replies: 1 })],
  total_count: 3,
  pages: 1,
};
const shape = ({ comments, total_count }: CommentsAnswer) => ({
  comments: comments.map(({ comment_id, is_deleted, replies, total_replies }) => [
    comment_id,
    is_deleted,
    replies.map((reply) => reply.comment_id),
    total_replies,
  ]),
  total_count,
});

it('likes a comment or a reply once, and undoes it', () => {
  const liked = withLike(withLike(page, 2, true), 2, true);
  expect(liked.comments[1]?.replies[0]).toMatchObject({ likes: 2, liked: true });
  expect(withLike(liked, 2, false)).toEqual(page);
  expect(withLike(page, 9, true).comments[0]).toMatchObject({ likes: 2, liked: true });
});

it('removes a comment, leaving a placeholder if it has replies', () => {
  expect(shape(withoutComment(page, 9))).toEqual({
    comments: [[1, false, [2], 1]],
    total_count: 2,
  });
  expect(shape(withoutComment(page, 1))).toEqual({
    comments: [
      [9, false, [], 0],
      [1, true, [2], 1],
    ],
    total_count: 2,
  });
  expect(shape(withoutComment(page, 2)).comments[1]).toEqual([1, false, [], 0]);
});
