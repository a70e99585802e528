//! The requested part of an object's comments, and how this part is loaded.

use axum::{
    Json,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    community::Window,
    threads::{self, Place},
};
use lantern_config::{CommentSort, Config};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Param, id_schema, query as parameter},
};
use serde_json::json;
use sqlx::PgPool;

use super::item::CommentsAnswer;

/// Refusal for a comment without replies.
pub(crate) const NO_REPLIES: (&str, &str) = ("comment_not_found", "no such comment there, or it has no replies");

/// The requested part of an object's comments.
#[derive(Debug, Clone, Copy)]
pub struct ThreadPart {
    /// Page number, starting at 1.
    pub page: u32,
    /// Order of the comments.
    pub sort: CommentSort,
    /// Id of the comment whose replies are requested.
    pub thread: Option<i64>,
}

impl ThreadPart {
    /// Returns a page in the default order, with which screens start.
    pub const fn page(page: u32) -> Self {
        Self { page, sort: CommentSort::Newest, thread: None }
    }

    /// Parses the query parameters `sort` and `thread`.
    pub fn of(query: &Query, page: u32) -> ApiResult<Self> {
        let sort = query.word("sort")?.unwrap_or(CommentSort::Newest);
        Ok(Self { page, sort, thread: query.number("thread", 1..=i64::MAX)? })
    }

    /// Returns the suffix of the part in cache keys. Its blank keeps the keys distinct from addresses, which contain no
    /// blanks.
    pub fn key(self) -> String {
        match (self.thread, self.sort) {
            (Some(thread), _) => format!(" replies {thread}"),
            (None, CommentSort::Newest) => String::new(),
            (None, sort) => format!(" {sort}"),
        }
    }
}

/// Returns the parameters that select a part.
pub(crate) fn parts() -> [Param; 2] {
    [
        parameter(
            "sort",
            "Order of the comments.",
            json!({ "$ref": "#/components/schemas/CommentSort", "default": "newest" }),
            "newest",
        ),
        parameter("thread", "Id of a comment: returns the replies to it, oldest first.", id_schema(), ""),
    ]
}

/// Returns the description that all lists of comments share.
pub(crate) fn live(config: &Config) -> String {
    format!(
        "{} per page, newest first, each with its first {} replies; `thread` returns the replies to one. A deleted comment with \
         replies remains, with `is_deleted`. A lifetime of 0 returns the current state: not cached, without `ETag`, with \
         `liked`.",
        config.listing.comments_page, config.listing.replies_shown
    )
}

/// Loads a page of threads, or of the replies to one.
pub(crate) async fn read(config: &Config, pool: &PgPool, at: Place, part: ThreadPart) -> ApiResult<CommentsAnswer> {
    let limit = i64::from(config.listing.comments_page);
    let window = Window { limit, offset: (i64::from(part.page) - 1) * limit };
    Ok(match part.thread {
        Some(thread) => {
            let found = threads::replies(pool, at, thread, window).await?;
            // Any id may be requested, but unknown ids must not fill the cache.
            if found.total == 0 {
                return Err(ApiError::NotFound(NO_REPLIES.0));
            }
            CommentsAnswer::replies(found, at, limit)
        }
        None => {
            let shown = config.listing.replies_shown.into();
            CommentsAnswer::threads(threads::threads(pool, at, part.sort, window, shown).await?, at, limit)
        }
    })
}

/// Returns the response for a lifetime of 0. It contains the current state, which is neither taken from a cache nor
/// stored in one.
pub(crate) fn current(answer: CommentsAnswer) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}
