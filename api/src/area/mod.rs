//! The member area: a member's own profile and lists. Nothing here is cached, and the member always comes from the session.

mod answers;
mod cards;
mod feed;
pub mod lists;
pub mod profile;
mod profile_fields;
mod profile_form;

use lantern_catalog::community::Window;

use lantern_errors::ApiResult;
use lantern_http::Query;
use lantern_listing::LAST_PAGE;

/// Parses the requested part of a list. It is given by `page` and by `count`, the number of items, which is `default` if absent and at
/// most `most`.
pub fn window(query: &Query, default: u32, most: u32) -> ApiResult<Window> {
    let limit = query.number("count", 1..=most)?.unwrap_or(default);
    let page = query.number("page", 1..=LAST_PAGE)?.unwrap_or(1);
    Ok(Window { limit: limit.into(), offset: (i64::from(page) - 1) * i64::from(limit) })
}
