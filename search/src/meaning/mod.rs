//! Synonyms and translations. One node learns them from translated titles for all nodes, every node holds them in
//! memory, and searches with few hits use them.

mod align;
mod corpus;
pub(crate) mod graph;

use std::sync::{Arc, PoisonError, RwLock};

use lantern_catalog::meanings;
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;
use tokio::task::spawn_blocking;

pub use self::corpus::Corpus;
use self::graph::Graph;

/// Minimum confidence of a pair relative to the surest pair of the same word. For example, *evening* occurs next to
/// *piano* in many titles.
const MIN_RATIO_TO_SUREST: f32 = 0.7;

/// The meanings as this node last loaded them.
#[derive(Default)]
pub struct Meanings(RwLock<Arc<Graph>>);

impl Meanings {
    /// Returns the graph.
    pub(crate) fn graph(&self) -> Arc<Graph> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the meanings if anything changed since the last call.
    pub async fn load(&self, pool: &PgPool) -> ApiResult<()> {
        let changed_at = meanings::changed_at(pool).await?;
        if self.graph().changed_at == Some(changed_at) {
            return Ok(());
        }
        let list = meanings::load(pool).await?;
        let graph = spawn_blocking(move || Graph::new(changed_at, &list)).await.map_err(ApiError::internal)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(graph);
        Ok(())
    }
}

/// Learns meanings from the titles and replaces those learned before.
pub async fn learn(pool: &PgPool, corpus: Corpus, most: usize) -> ApiResult<()> {
    let mut conn = pool.acquire().await?;
    let labels = meanings::labels(&mut conn).await?;
    let learned = spawn_blocking(move || corpus.learn(&labels, most)).await.map_err(ApiError::internal)?;
    meanings::keep(&mut conn, &learned).await?;
    Ok(())
}
