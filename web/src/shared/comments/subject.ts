/** Objects that have comments, with their calls and actions. */
import type { Act } from '@/api/act';
import type { Schema } from '@/api/call';
import { addressOf } from '@/api/client';
import { bucket, modelPlace } from '@/api/endpoints';
import type { TimedFilm } from '@/shared/player/timed-text';
import { lifetimes } from '../../../generated/vocabulary';

export type Comment = Schema<'Comment'>;
export type CommentSort = Schema<'CommentSort'>;
export type CommentsAnswer = Schema<'CommentsAnswer'>;

/** The fragment of addresses that link to a page's comments. */
export const COMMENTS = '#comments';

export interface Subject {
  /** `wall` stands for a member's wall. */
  section: Schema<'CommentSection'> | 'wall';
  id: number;
  /** The model's name in addresses, which identifies the model's wall. */
  dir?: string;
  /** The owner, who may delete other members' comments. */
  ownerId?: number | null;
  /** Whether others may read, but not comment. */
  ownerOnly?: boolean;
  /** The film to which times in the comments refer. */
  film?: TimedFilm | undefined;
}

/** A part of the comments: one sort order, or the replies to one comment. */
export interface Part {
  sort?: CommentSort;
  thread?: number;
}

/** Returns the URL for a page of comments in the server's spelling (`site/src/calls.rs`). */
export function commentsUrl(
  { section, id, dir }: Subject,
  page: number,
  member: boolean,
  { sort = 'newest', thread }: Part = {},
): string {
  const part = { sort: sort === 'newest' ? undefined : sort, thread };
  if (section === 'wall') {
    return addressOf('/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json', {
      lifetime: member ? lifetimes.NONE : lifetimes.MEMBER,
      bucket: bucket(id),
      member_id: id,
      page,
      ...part,
    });
  }
  const lifetime = member ? lifetimes.NONE : lifetimes.DEFAULT;
  if (dir !== undefined) {
    return addressOf('/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json', {
      lifetime,
      ...modelPlace(dir),
      page,
      ...part,
    });
  }
  return addressOf('/api/json/comments/{lifetime}/{section}/{bucket}/{object_id}.json', {
    lifetime,
    section,
    bucket: bucket(id),
    object_id: id,
    page: page > 1 ? page : undefined,
    ...part,
  });
}

/** Whether a query is a page of this object's comments, in any order or thread, for guests and members. */
export const isOf = (subject: Subject) => {
  const begins = [true, false].map((member) =>
    commentsUrl(subject, 1, member).replace(/(\.1)?\.json$/, '.'),
  );
  return ({ queryKey: [key] }: { queryKey: readonly unknown[] }) =>
    typeof key === 'string' && begins.some((begin) => key.startsWith(begin));
};

export const addFields = ({ section, id }: Subject, msg: string, parent?: number): Act =>
  section === 'wall'
    ? { act: 'wall', object_id: id, msg, parent_id: parent }
    : { act: 'comm', section, object_id: id, msg, parent_id: parent };

export const likeFields = ({ section }: Subject, id: number, add: boolean): Act =>
  section === 'wall'
    ? { act: 'wall_like', section: add ? 'add' : 'rem', wall_id: id }
    : { act: 'comm_like', section: add ? 'add' : 'rem', comment_id: id };

export const restoreFields = ({ section }: Subject, id: number): Act =>
  section === 'wall' ? { act: 'wall_undel', wall_id: id } : { act: 'comm_undel', comment_id: id };

export const deleteFields = ({ section }: Subject, id: number): Act =>
  section === 'wall' ? { act: 'wall_del', wall_id: id } : { act: 'comm_del', comment_id: id };
