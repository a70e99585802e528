//! What means the same: learned from titles and their translations by one node for all, held in memory by every node, and asked for
//! where a search finds little.

mod align;
mod corpus;
mod graph;
pub mod widen;

use std::sync::{Arc, PoisonError, RwLock};

use lantern_catalog::meanings;
use lantern_config::Lang;
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;
use tokio::task::spawn_blocking;

use self::graph::Graph;
pub use self::{corpus::Corpus, graph::Alternative};

/// How sure a word must be beside a surer one: *evening* stands beside *piano* in many titles.
const BESIDE: f32 = 0.7;

/// What this node knows.
#[derive(Default)]
pub struct Meanings(RwLock<Arc<Graph>>);

impl Meanings {
    fn graph(&self) -> Arc<Graph> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The query in other words, those that the visitor reads first; at most so many.
    pub fn alternatives(&self, query: &str, lang: Lang, most: usize) -> Vec<Alternative> {
        self.graph().alternatives(query, lang, most)
    }

    /// Whether the word, or a label that is just this word, is known in the language.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.graph().knows(word, lang)
    }

    /// Takes over what changed since the last time, whoever changed it.
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

/// Puts what the titles teach in the place of what they taught before.
pub async fn learn(pool: &PgPool, corpus: Corpus, most: usize) -> ApiResult<()> {
    let mut conn = pool.acquire().await?;
    let labels = meanings::labels(&mut conn).await?;
    let learned = spawn_blocking(move || corpus.learn(&labels, most)).await.map_err(ApiError::internal)?;
    meanings::keep(&mut conn, &learned).await?;
    Ok(())
}
