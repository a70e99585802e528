//! Work of the task that sends queued tags.

use std::sync::atomic::{AtomicBool, Ordering};

use lantern_catalog::{
    purges::{self, Purge},
    queue::{Job, Outcome, Queue, Work},
};
use prometheus_client::metrics::counter::Counter;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::client::PurgeClient;

/// Purges claimed tags.
pub struct PurgeWorker {
    pub pool: PgPool,
    pub client: PurgeClient,
    /// Counts purged tags.
    pub told: Counter,
    /// Whether purging is enabled in the catalog.
    pub is_on: AtomicBool,
}

impl Work for PurgeWorker {
    async fn prepare(&self) -> lantern_catalog::Result<bool> {
        if !self.is_on.load(Ordering::Relaxed) {
            purges::switch(&self.pool, true).await?;
            self.is_on.store(true, Ordering::Relaxed);
        }
        Ok(true)
    }

    async fn attempt(&self, _: &Queue, jobs: &[Job], _: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let parsed: Result<Vec<Purge>, Outcome> = jobs.iter().map(Job::parse).collect();
        let purges = match parsed {
            Ok(purges) => purges,
            Err(refused) => return Ok(refused),
        };
        let mut tags: Vec<&str> = purges.iter().map(|purge| purge.tag.as_str()).collect();
        tags.sort_unstable();
        tags.dedup();
        Ok(match self.client.purge(&tags).await {
            Ok(()) => {
                self.told.inc_by(tags.len() as u64);
                Outcome::Done
            }
            // The next request would probably fail, too.
            Err(why) => Outcome::Outage(why),
        })
    }
}
