//! Words from visible titles. One node learns them for all nodes, and they are used to recognize words in queries.

pub mod learn;
pub(crate) mod vocabulary;

use std::sync::{Arc, PoisonError, RwLock};

use lantern_catalog::words;
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;
use tokio::task::spawn_blocking;

use self::vocabulary::Vocabulary;

/// The vocabulary as this node last loaded it.
#[derive(Default)]
pub struct Words(RwLock<Arc<Vocabulary>>);

impl Words {
    /// Returns the vocabulary.
    pub(crate) fn vocabulary(&self) -> Arc<Vocabulary> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the words, and the names of at most `most_names` models, if any node has learned the words again since the last call.
    pub async fn load(&self, pool: &PgPool, most_names: usize) -> ApiResult<()> {
        let learned_at = words::learned_at(pool).await?;
        if learned_at == self.0.read().unwrap_or_else(PoisonError::into_inner).learned_at {
            return Ok(());
        }
        let lists = words::load(pool).await?;
        let names = words::model_names(pool, i64::try_from(most_names).unwrap_or(i64::MAX)).await?;
        let vocabulary = spawn_blocking(move || Vocabulary::new(&lists, &names)).await.map_err(ApiError::internal)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(vocabulary);
        Ok(())
    }
}
