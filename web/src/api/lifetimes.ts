/** Seconds that caches may use an answer for, a place in addresses: the server knows these alone (`config/src/lifetimes.rs`). */

/** Lists and everything without one of its own. */
export const DEFAULT = 86_400;
export const HOME = 14_400;
export const LATEST = 3_600;
export const RELATED = 432_000;
export const SUGGESTER = 43_200;
export const MEMBER = 7_200;
/** Comments for members, who see what is true now. */
export const NONE = 0;
