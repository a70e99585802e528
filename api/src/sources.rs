//! Where answers come from.

use std::sync::Arc;

use sqlx::PgPool;

use crate::{cache::ResponseCache, index::Reader};

/// What a loader looks into: finished answers, the catalog, the index.
#[derive(Clone)]
pub struct Sources {
    pub cache: ResponseCache,
    pub pool: PgPool,
    pub reader: Arc<Reader>,
}
