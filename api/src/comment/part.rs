//! Which of the comments on something are asked for, and how they are read.

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

/// Why there is no page of replies.
pub const NO_REPLIES: (&str, &str) = ("comment_not_found", "nobody has answered such a comment there");

/// Which of the comments on something are asked for.
#[derive(Debug, Clone, Copy)]
pub struct ThreadPart {
    /// Number of the page.
    pub page: u32,
    /// In which order comments come.
    pub sort: CommentSort,
    /// The comment whose replies are asked for.
    pub thread: Option<i64>,
}

impl ThreadPart {
    /// A page of comments as screens begin with it.
    pub const fn page(page: u32) -> Self {
        Self { page, sort: CommentSort::Newest, thread: None }
    }

    pub fn of(query: &Query, page: u32) -> ApiResult<Self> {
        let sort = query.word("sort")?.unwrap_or(CommentSort::Newest);
        Ok(Self { page, sort, thread: query.number("thread", 1..=i64::MAX)? })
    }

    /// What distinguishes it in the key of a cached answer; no address holds a blank.
    pub fn key(self) -> String {
        match (self.thread, self.sort) {
            (Some(thread), _) => format!(" replies {thread}"),
            (None, CommentSort::Newest) => String::new(),
            (None, sort) => format!(" {sort}"),
        }
    }
}

/// The parameters of a part.
pub fn parts() -> [Param; 2] {
    [
        parameter(
            "sort",
            "The order of the comments.",
            json!({ "$ref": "#/components/schemas/CommentSort", "default": "newest" }),
            "newest",
        ),
        parameter("thread", "A comment: the answer holds the replies to it, the oldest first.", id_schema(), ""),
    ]
}

/// What every list of comments says of itself.
pub fn live(config: &Config) -> String {
    format!(
        "{} a page, newest first, each with its first {} replies; `thread` asks for the replies to one. A comment that is gone and was \
         answered leaves `is_deleted`. A lifetime of 0 asks for what is true now: nothing is kept, there is no `ETag`; \
         `liked` is told.",
        config.listing.comments_page, config.listing.replies_shown
    )
}

/// A page of threads, or of the replies of one.
pub async fn read(config: &Config, pool: &PgPool, at: Place, part: ThreadPart) -> ApiResult<CommentsAnswer> {
    let limit = i64::from(config.listing.comments_page);
    let window = Window { limit, offset: (i64::from(part.page) - 1) * limit };
    Ok(match part.thread {
        Some(thread) => {
            let found = threads::replies(pool, at, thread, window).await?;
            // Any number may be asked for, and what isn't there must not fill the cache.
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

/// What a lifetime of 0 asks for: what is true now, neither taken from the cache nor put into it.
pub fn current(answer: CommentsAnswer) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}
