/** Likes and dislikes as the visitor sees them. Pure. */
export interface Votes {
  likes: number;
  dislikes: number;
}
export type Vote = 1 | -1;

/** The numbers once a vote became another; 0 is none. */
export const recounted = ({ likes, dislikes }: Votes, from: Vote | 0, to: Vote | 0): Votes => ({
  likes: likes + Number(to === 1) - Number(from === 1),
  dislikes: dislikes + Number(to === -1) - Number(from === -1),
});

/** A vote that is known to be given is in the number, however old the number is. */
export const atLeast = ({ likes, dislikes }: Votes, vote: Vote | 0): Votes => ({
  likes: Math.max(likes, vote === 1 ? 1 : 0),
  dislikes: Math.max(dislikes, vote === -1 ? 1 : 0),
});
