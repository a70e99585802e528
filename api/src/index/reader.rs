//! What lists are read from.

use std::sync::Arc;

use lantern_catalog::changes::Changes;
use lantern_config::Config;
use lantern_index::SearchClient;

use super::{CategoryNames, Ladders, ModelNames};

/// The index, the names that explain what is in it, and the settings of lists.
pub struct Reader {
    /// The index.
    pub search: SearchClient,
    /// Titles of categories.
    pub categories: CategoryNames,
    /// Names of models.
    pub model_names: ModelNames,
    /// Where pages begin, on a Meilisearch server.
    pub ladders: Ladders,
    /// Settings.
    pub config: Arc<Config>,
    /// The time in unix seconds.
    pub now: fn() -> i64,
}

impl Reader {
    pub fn new(search: &SearchClient, changes: &Changes, config: &Arc<Config>, now: fn() -> i64) -> Self {
        Self {
            search: search.clone(),
            categories: CategoryNames::new(search.clone(), changes.clone(), config.listing.max_facet_values),
            model_names: ModelNames::new(search.clone(), changes.clone()),
            ladders: Ladders::new(search.clone(), changes.clone()),
            config: Arc::clone(config),
            now,
        }
    }
}
