//! What requests of the protocol work with.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::index::registry::Registry;
use crate::options::EngineOptions;
use crate::tasks::intake::Intake;
use crate::tasks::queue::Queue;

/// The parts of an open engine that requests reach.
pub struct Shared {
    pub queue: Arc<Queue>,
    pub registry: Arc<Registry>,
    pub intake: Intake,
    pub options: EngineOptions,
    /// One permit for each search that may wait.
    pub search_places: Arc<Semaphore>,
}
