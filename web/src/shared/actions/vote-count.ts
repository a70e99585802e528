/** Likes and dislikes as the visitor sees them. Pure. */
export interface Votes {
  likes: number;
  dislikes: number;
}
export type Vote = 1 | -1;

/** The numbers with one more vote. */
export const counted = ({ likes, dislikes }: Votes, vote: Vote): Votes => ({
  likes: likes + (vote === 1 ? 1 : 0),
  dislikes: dislikes + (vote === -1 ? 1 : 0),
});

/** A vote that is known to be given is in the number, however old the number is. */
export const atLeast = ({ likes, dislikes }: Votes, vote: Vote | 0): Votes => ({
  likes: Math.max(likes, vote === 1 ? 1 : 0),
  dislikes: Math.max(dislikes, vote === -1 ? 1 : 0),
});
