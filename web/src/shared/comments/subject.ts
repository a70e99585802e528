/** What comments are about: their calls and acts. */
import type { Schema, Url } from '@/api/call';
import { bucket, prefixed } from '@/api/endpoints';

export type Comment = Schema<'Comment'>;
export type CommentsAnswer = Schema<'CommentsAnswer'>;

export interface Subject {
  /** `wall`: what is written on a member's wall. */
  section: Schema<'CommentSection'> | 'wall';
  id: number;
  /** The model's name in addresses, which its wall is asked for by. */
  dir?: string;
  /** Whose it is: the owner may delete what others wrote. */
  ownerId?: number | null;
  /** Others may read, not write. */
  ownerOnly?: boolean;
}

/** Lifetimes (seconds) of the specification. */
const GUEST_S = 86_400;
const WALL_S = 7200;
/** A member sees what is true now. */
const MEMBER_S = 0;

type MemberWall = '/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json';
type ModelWall = '/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json';
type Below = '/api/json/comments/{lifetime}/{section}/{bucket}/{object_id}.json';

/** The address of a page of comments, as the server spells it (`api/src/pages/calls.rs`). */
export function commentsUrl({ section, id, dir }: Subject, page: number, member: boolean): string {
  const own = `${bucket(id)}/${String(id)}` as const;
  if (section === 'wall') {
    return `/api/json/member_wall/${String(member ? MEMBER_S : WALL_S)}/${own}.${String(page)}.json` satisfies Url<MemberWall>;
  }
  const lifetime = String(member ? MEMBER_S : GUEST_S);
  if (dir !== undefined) {
    return `/api/json/model_wall/${lifetime}/${prefixed(dir)}.${String(page)}.json` satisfies Url<ModelWall>;
  }
  const first = `/api/json/comments/${lifetime}/${section}/${own}.json` satisfies Url<Below>;
  return page > 1 ? (`${first}?page=${String(page)}` satisfies Url<Below>) : first;
}

/** The form that adds a comment. */
export const addFields = ({ section, id }: Subject, msg: string) =>
  section === 'wall'
    ? { act: 'wall', object_id: id, msg }
    : { act: 'comm', section, object_id: id, msg };

/** The form that deletes one. */
export const deleteFields = ({ section }: Subject, id: number) =>
  section === 'wall' ? { act: 'wall_del', wall_id: id } : { act: 'comm_del', comment_id: id };
