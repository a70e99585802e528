/** Cache lifetimes in seconds. They are part of addresses, and the server accepts only these (`config/src/lifetimes.rs`). */

/** For lists, and for everything that has no lifetime of its own. */
export const DEFAULT = 86_400;
export const HOME = 14_400;
export const LATEST = 3_600;
export const RELATED = 432_000;
export const SUGGESTER = 43_200;
export const MEMBER = 7_200;
/** For members' comments: members see the current state. */
export const NONE = 0;
