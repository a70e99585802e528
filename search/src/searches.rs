//! State of the search handlers.

use std::sync::Arc;

use lantern_ratelimit::Limits;
use sqlx::PgPool;

use super::{clicks::Clicks, lexicon::Lexicon, log::SearchLog};
use crate::index::Reader;

/// The index, the lexicon, click boosts, and the log that counts searches.
#[derive(Clone)]
pub struct Searches {
    /// Catalog.
    pub pool: PgPool,
    /// Index.
    pub reader: Arc<Reader>,
    /// Words and meanings that searches know.
    pub lexicon: Arc<Lexicon>,
    /// Boosts learned from clicks.
    pub clicks: Arc<Clicks>,
    /// Log of searches.
    pub log: Arc<SearchLog>,
    /// Limits per client.
    pub limits: Arc<Limits>,
}
