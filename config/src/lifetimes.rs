//! Cache lifetimes in seconds that the `{lifetime}` path segment accepts. They are a closed set, so that clients cannot fill caches with
//! copies. Whoever builds a list's URL chooses its lifetime. This is either the app (`web/src/search/request.ts`) or a page
//! (`listing/src/pages/`). The server's response cache is configured by `[cache]` in `default.toml`.

/// Lists and everything without a more specific rule.
pub const DEFAULT: u32 = 86_400;
/// Home and statistics.
pub const HOME: u32 = 14_400;
/// Latest updates.
pub const LATEST: u32 = 3_600;
/// Related videos.
pub const RELATED: u32 = 432_000;
/// Video files: ten or a hundred days. A signed link expires sooner anyway.
pub const VIDEO_FILE: [u32; 2] = [864_000, 8_640_000];
/// Suggester.
pub const SUGGESTER: u32 = 43_200;
/// Member pages.
pub const MEMBER: u32 = 7_200;

/// Members' comments: members expect to see their own new comments.
pub const NONE: u32 = 0;

/// Listings. A page of them can serve as a home block, latest updates, a member's list or a plain list.
pub const LISTS: &[u32] = &[DEFAULT, HOME, LATEST, MEMBER];
/// `videos_related2`.
pub const RELATED_LISTS: &[u32] = &[RELATED, DEFAULT];
/// `suggester`.
pub const SUGGESTIONS: &[u32] = &[SUGGESTER];
/// `main`.
pub const MAIN: &[u32] = &[HOME, DEFAULT];
/// `home`, which includes the latest updates.
pub const HOME_BLOCKS: &[u32] = &[LATEST, HOME];
/// Comments and walls.
pub const COMMENTS: &[u32] = &[DEFAULT, HOME, LATEST, MEMBER, NONE];
