//! State that all requests share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::index::registry::Registry;
use crate::options::EngineOptions;
use crate::tasks::intake::Intake;
use crate::tasks::queue::Queue;

/// Parts of an open engine that requests use.
pub struct Shared {
    pub queue: Arc<Queue>,
    pub registry: Arc<Registry>,
    pub intake: Intake,
    pub options: EngineOptions,
    /// One permit per search that may wait.
    pub search_places: Arc<Semaphore>,
}
