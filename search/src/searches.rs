//! State of the search handlers.

use std::sync::Arc;

use lantern_ratelimit::Limits;
use sqlx::PgPool;

use super::{clicks::Clicks, lexicon::Lexicon, log::SearchLog};
use crate::index::Reader;

/// The index, the lexicon, click boosts, and the log that counts searches.
#[derive(Clone)]
pub struct Searches {
    pub pool: PgPool,
    pub reader: Arc<Reader>,
    pub lexicon: Arc<Lexicon>,
    pub clicks: Arc<Clicks>,
    pub log: Arc<SearchLog>,
    pub limits: Arc<Limits>,
}
