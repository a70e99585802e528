//! Data sources of responses.

use std::sync::Arc;

use lantern_config::Config;
use lantern_http::cache::ResponseCache;
use sqlx::PgPool;

use lantern_search::index::Reader;

/// Data sources for a loader: cached responses, the catalog and the index.
#[derive(Clone)]
pub struct Sources {
    /// Settings.
    pub config: Arc<Config>,
    /// Cached responses.
    pub cache: Arc<ResponseCache>,
    /// Catalog.
    pub pool: PgPool,
    /// Reads lists from the index.
    pub reader: Arc<Reader>,
}
