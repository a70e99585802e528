//! The task that takes tags from the queue.

use std::{sync::Arc, time::Duration};

use lantern_catalog::purges;
use lantern_config::Purge as Settings;
use sqlx::PgPool;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval_at},
};

use super::{call::PurgeCall, figures::PurgeFigures};

/// What a lease lasts beyond the time limit of a call.
const LEASE_MARGIN: Duration = Duration::from_secs(10);

pub struct Teller {
    pool: PgPool,
    call: PurgeCall,
    tags: u32,
    lease: Duration,
    poll: Duration,
    pauses: Vec<f64>,
    figures: Arc<PurgeFigures>,
}

impl Teller {
    pub fn new(pool: PgPool, settings: &Settings, figures: Arc<PurgeFigures>) -> anyhow::Result<Self> {
        Ok(Self {
            pool,
            call: PurgeCall::new(settings)?,
            tags: settings.tags,
            lease: Duration::from_millis(settings.timeout_ms) + LEASE_MARGIN,
            poll: Duration::from_millis(settings.poll_ms),
            pauses: settings.retry_seconds.iter().copied().map(f64::from).collect(),
            figures,
        })
    }

    pub async fn run(&self, flushes: &mut mpsc::Receiver<oneshot::Sender<()>>) {
        let mut poll = interval_at(Instant::now() + self.poll, self.poll);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_on, mut waiting) = (false, None::<oneshot::Sender<()>>);
        loop {
            match self.round(&mut is_on).await {
                Ok(()) => {}
                // The tests' databases go before their tasks do.
                Err(_) if self.pool.is_closed() => return,
                Err(error) => tracing::warn!(%error, "what caches outside are to be told can't be read"),
            }
            if let Some(done) = waiting.take() {
                // Who no longer waits needs no answer.
                let _ = done.send(());
            }
            waiting = tokio::select! {
                flush = flushes.recv() => match flush {
                    None => return,
                    done => done,
                },
                _ = poll.tick() => None,
            };
        }
    }

    /// Tells what is due, until a call fails: the next one would fare the same.
    async fn round(&self, is_on: &mut bool) -> lantern_catalog::Result<()> {
        if !*is_on {
            purges::switch(&self.pool, true).await?;
            *is_on = true;
        }
        while self.tell_due().await? {}
        self.figures.waiting(purges::waiting(&self.pool).await?);
        Ok(())
    }

    /// Whether there was something, and it was sent.
    async fn tell_due(&self) -> lantern_catalog::Result<bool> {
        let due = purges::claim(&self.pool, self.tags, self.lease).await?;
        if due.is_empty() {
            return Ok(false);
        }
        let ids: Vec<i64> = due.iter().map(|due| due.id).collect();
        let mut tags: Vec<&str> = due.iter().map(|due| due.tag.as_str()).collect();
        tags.sort_unstable();
        tags.dedup();
        match self.call.tell(&tags).await {
            Ok(()) => {
                purges::mark_purged(&self.pool, &ids).await?;
                self.figures.count_tags(tags.len());
                Ok(true)
            }
            Err(why) => {
                tracing::warn!(
                    why,
                    tags = tags.len(),
                    "a cache outside could not be told what changed; it is tried again"
                );
                self.figures.failed();
                purges::retry(&self.pool, &ids, &why, &self.pauses).await?;
                Ok(false)
            }
        }
    }
}
