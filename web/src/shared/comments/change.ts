/** Updates a page of comments when one of them changes. This module is pure. */
import type { Comment, CommentsAnswer } from './subject';

/** Returns the page after one comment or reply was liked or unliked. */
export function withLike(answer: CommentsAnswer, id: number, liked: boolean): CommentsAnswer {
  const change = (comment: Comment): Comment =>
    comment.comment_id === id && comment.liked !== liked
      ? { ...comment, liked, likes: comment.likes + (liked ? 1 : -1) }
      : { ...comment, replies: comment.replies.map(change) };
  return { ...answer, comments: answer.comments.map(change) };
}

/** Returns the page without a comment or reply. A comment that has replies leaves a placeholder. */
export function withoutComment(answer: CommentsAnswer, id: number): CommentsAnswer {
  const comments = answer.comments.flatMap((comment) => {
    if (comment.comment_id === id) return comment.total_replies > 0 ? [emptied(comment)] : [];
    const replies = comment.replies.filter(({ comment_id }) => comment_id !== id);
    const gone = comment.replies.length - replies.length;
    return [{ ...comment, replies, total_replies: comment.total_replies - gone }];
  });
  return { ...answer, comments, total_count: answer.total_count - 1 };
}

const emptied = (comment: Comment): Comment => ({
  ...comment,
  is_deleted: true,
  user_id: null,
  username: '',
  avatar: null,
  comment: '',
  added_date: null,
  likes: 0,
  liked: false,
});
