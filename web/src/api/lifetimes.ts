/** Cache lifetimes in seconds, part of addresses; the server accepts only these (`config/src/lifetimes.rs`). */

/** Lists, and everything without its own lifetime. */
export const DEFAULT = 86_400;
export const HOME = 14_400;
export const LATEST = 3_600;
export const RELATED = 432_000;
export const SUGGESTER = 43_200;
export const MEMBER = 7_200;
/** Comments for members, who see the current state. */
export const NONE = 0;
