/** Likes and dislikes as they are shown to the visitor. This module is pure. */
export interface Votes {
  likes: number;
  dislikes: number;
}
export type Vote = 1 | -1;

/** Returns the counts after a vote changes. 0 means no vote. */
export const recounted = ({ likes, dislikes }: Votes, from: Vote | 0, to: Vote | 0): Votes => ({
  likes: likes + Number(to === 1) - Number(from === 1),
  dislikes: dislikes + Number(to === -1) - Number(from === -1),
});

/** Returns counts that include the visitor's own vote, however outdated the given counts are. */
export const atLeast = ({ likes, dislikes }: Votes, vote: Vote | 0): Votes => ({
  likes: Math.max(likes, vote === 1 ? 1 : 0),
  dislikes: Math.max(dislikes, vote === -1 ? 1 : 0),
});
