//! Cache lifetimes in seconds that the `{lifetime}` path segment may name: a closed set, so that nobody can fill caches with copies.
//! Which of them a list has is chosen by who writes its address: the app (`web/src/search/request.ts`) and the pages
//! (`api/src/page/calls.rs`). How long the server itself reuses an answer is `[cache]` in `default.toml`.

/// Lists and everything without a rule of its own.
pub const DEFAULT: u32 = 86_400;
/// Home and statistics.
pub const HOME: u32 = 14_400;
/// Latest updates.
pub const LATEST: u32 = 3_600;
/// Related videos.
pub const RELATED: u32 = 432_000;
/// Video files: ten days or a hundred; a signed link ends sooner anyway.
pub const VIDEO_FILE: [u32; 2] = [864_000, 8_640_000];
/// Suggester.
pub const SUGGESTER: u32 = 43_200;
/// Member pages.
pub const MEMBER: u32 = 7_200;

/// Listings: a page may be read as home block, as latest updates, as a member's or as a plain list.
pub const LISTS: &[u32] = &[DEFAULT, HOME, LATEST, MEMBER];
/// `videos_related2`.
pub const RELATED_LISTS: &[u32] = &[RELATED, DEFAULT];
/// `suggester`.
pub const SUGGESTIONS: &[u32] = &[SUGGESTER];
/// `main`.
pub const MAIN: &[u32] = &[HOME, DEFAULT];
/// `home`: it holds the latest updates among others.
pub const HOME_BLOCKS: &[u32] = &[LATEST, HOME];
/// Comments and walls: 0 is for members, who want to see what they just wrote.
pub const COMMENTS: &[u32] = &[DEFAULT, HOME, LATEST, MEMBER, 0];
