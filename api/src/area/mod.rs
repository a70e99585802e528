//! The member area: the own profile, the own lists, messages, and what owners do with their uploads. Nothing here is cached,
//! and whose it is always comes from the session.

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

/// Which part of a list is requested: `count` items, as many as `default` without it.
pub fn window(query: &Query, default: u32, most: u32) -> ApiResult<Window> {
    let limit = query.number("count", 1..=most)?.unwrap_or(default);
    let page = query.number("page", 1..=LAST_PAGE)?.unwrap_or(1);
    Ok(Window { limit: limit.into(), offset: (i64::from(page) - 1) * i64::from(limit) })
}
