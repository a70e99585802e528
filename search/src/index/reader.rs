//! Data sources from which lists are read.

use std::sync::Arc;

use lantern_catalog::changes::Changes;
use lantern_config::Config;
use lantern_index::SearchClient;

use super::{CategoryNames, Ladders, ModelNames};

/// The index, the names of its categories and models, and the settings for lists.
pub struct Reader {
    /// The index.
    pub search: SearchClient,
    /// Titles of categories.
    pub categories: CategoryNames,
    /// Names of models.
    pub model_names: ModelNames,
    /// Cached positions where pages begin, for a Meilisearch server.
    pub ladders: Ladders,
    /// Settings.
    pub config: Arc<Config>,
    clock: fn() -> i64,
}

impl Reader {
    /// Creates a reader that follows `changes`. `clock` returns the time in Unix seconds.
    pub fn new(search: &SearchClient, changes: &Changes, config: &Arc<Config>, clock: fn() -> i64) -> Self {
        Self {
            search: search.clone(),
            categories: CategoryNames::new(search.clone(), changes.clone(), config.listing.max_facet_values),
            model_names: ModelNames::new(search.clone(), changes.clone()),
            ladders: Ladders::new(search.clone(), changes.clone()),
            config: Arc::clone(config),
            clock,
        }
    }

    /// Reference time of lists in Unix seconds: the end of the current period of `listing.date_seconds`. Until then,
    /// filters with a date have the same text, so the engine's caches serve all visitors.
    pub fn now(&self) -> i64 {
        let step = i64::from(self.config.listing.date_seconds);
        let now = (self.clock)();
        now + (-now).rem_euclid(step)
    }
}
