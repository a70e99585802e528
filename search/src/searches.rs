//! What searches need of the state.

use std::sync::Arc;

use lantern_ratelimit::Limits;
use sqlx::PgPool;

use super::{clicks::Clicks, lexicon::Lexicon, log::SearchLog};
use crate::index::Reader;

/// The index, what is known of words and of clicks, and where a search is counted.
#[derive(Clone)]
pub struct Searches {
    pub pool: PgPool,
    pub reader: Arc<Reader>,
    pub lexicon: Arc<Lexicon>,
    pub clicks: Arc<Clicks>,
    pub log: Arc<SearchLog>,
    pub limits: Arc<Limits>,
}
