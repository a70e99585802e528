//! Purging a cache outside (a CDN) by the tags of what changed.
//!
//! Tags are written in the transaction of the change ([`lantern_catalog::purges`]) and wait until they were sent: a call that fails
//! is tried again with growing pauses, a node that dies leaves its tags to the next. A tag may be sent twice, never not at all.

mod call;
mod figures;
mod teller;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use lantern_catalog::{purges, tasks::Task};
use lantern_config::Purge as Settings;
use lantern_errors::ApiResult;
use prometheus_client::registry::Registry;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use self::{figures::PurgeFigures, teller::Teller};

const FLUSHES: usize = 16;

/// Purges caches outside, where one is configured.
pub struct Purger {
    settings: Settings,
    figures: Arc<PurgeFigures>,
    flush: Option<mpsc::Sender<oneshot::Sender<()>>>,
}

impl Purger {
    /// The purger and, where somebody is to be told, the task that tells; it ends when the purger is dropped.
    ///
    /// # Errors
    /// When `purge` names no method or header that HTTP knows.
    pub fn new(pool: PgPool, settings: &Settings) -> anyhow::Result<(Self, Option<Task>)> {
        let figures = Arc::new(PurgeFigures::default());
        let (mut flush, mut task) = (None, None);
        if settings.is_on() {
            let (sender, flushes) = mpsc::channel(FLUSHES);
            let teller = Teller::new(pool, settings, Arc::clone(&figures))?;
            let telling = Task::new("cache purges", teller, flushes, |teller, flushes| Box::pin(teller.run(flushes)));
            (flush, task) = (Some(sender), Some(telling));
        }
        Ok((Self { settings: settings.clone(), figures, flush }, task))
    }

    /// Waits until every tag whose turn it is was tried; ends at the first call that fails.
    ///
    /// # Errors
    /// The telling task panicked meanwhile.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let Some(flush) = &self.flush else { return Ok(()) };
        let (done, tried) = oneshot::channel();
        flush.send(done).await.context("caches outside are told nothing any more")?;
        tried.await.context("caches outside are told nothing any more")
    }

    /// Gives up what is older than any answer, and everything where nobody is told any more.
    pub async fn sweep(&self, pool: &PgPool) -> ApiResult<()> {
        purges::switch(pool, self.settings.is_on()).await?;
        let rows = purges::give_up(pool, Duration::from_secs(self.settings.keep_seconds.into())).await?;
        if rows > 0 {
            tracing::error!(rows, "what caches outside could not be told is given up; see purge.url");
        }
        Ok(())
    }

    /// What was told; nothing where nobody is told.
    pub fn register(&self, registry: &mut Registry) {
        if self.settings.is_on() {
            self.figures.register(registry);
        }
    }
}
