//! Transfers counters to the index periodically instead of with every click. Videos are updated partially, the smaller indexes by whole
//! documents, and then the charts and suggestions derived from the counters.

use std::collections::BTreeMap;

use lantern_catalog::{
    changes::Change,
    consumers::{self, Lease},
    counters,
    documents::videos,
    outbox::{self, Entity},
};
use lantern_index::{IndexName, VideoCounts};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{Error, Indexer, apply, documents, tasks};

/// Marks per batch.
const BATCH: i64 = 5_000;

impl Indexer {
    /// Transfers all changed counters and returns the number of affected objects.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable. The marks are kept for the next interval.
    pub async fn transfer_counters(&self) -> Result<u64, Error> {
        let lease = self.join().await?;
        let mut transferred = 0;
        loop {
            // Hold the writer's lock, so that an object hidden meanwhile cannot reappear as a document with nothing but counters.
            let _writer = self.writer.lock().await;
            let mut conn = self.pool.acquire().await?;
            let marks = counters::marked(&mut conn, lease.consumer, BATCH).await?;
            if marks.is_empty() {
                return Ok(transferred);
            }
            let mut by_entity: BTreeMap<Entity, Vec<i64>> = BTreeMap::new();
            for mark in &marks {
                by_entity.entry(mark.entity).or_default().push(mark.entity_id);
            }
            if self.checkpoints.rebuilding()?.is_some() {
                self.checkpoints.mark_dirty(marks.iter().map(|mark| (mark.entity, mark.entity_id)))?;
            }
            for (entity, ids) in by_entity {
                if entity == Entity::Video {
                    if !self.present().contains(&IndexName::Videos) {
                        continue;
                    }
                    self.update_videos(&mut conn, &lease, &ids).await?;
                } else {
                    let keys: Vec<(Entity, i64)> = ids.iter().map(|id| (entity, *id)).collect();
                    let live = |index: IndexName| index.uid().to_owned();
                    let (change, refused) = apply::apply_accepted(self, &lease, &keys, &self.present(), &live).await?;
                    for ((entity, id), reason) in refused {
                        self.park(&lease, entity, id, &reason.to_string()).await?;
                    }
                    self.announce(&change).await?;
                }
            }
            if let Err(error) = consumers::check(&mut conn, &lease).await {
                // This write may have overwritten newer documents of another writer: make that writer read these objects again.
                let keys: Vec<(Entity, i64)> = marks.iter().map(|mark| (mark.entity, mark.entity_id)).collect();
                outbox::put_back(&mut conn, lease.consumer, &keys).await?;
                return Err(error.into());
            }
            counters::clear(&mut conn, lease.consumer, &marks).await?;
            transferred += marks.len() as u64;
            self.announce(&Change::Objects(Vec::new())).await?;
        }
    }

    /// Updates the counters in the documents of videos. A partial update would create missing documents, so only existing documents are
    /// updated. Videos that were hidden in the meantime are enqueued in the outbox again.
    async fn update_videos(&self, conn: &mut PgConnection, lease: &Lease, ids: &[i64]) -> Result<(), Error> {
        let mut rows = videos::counters(conn, ids).await?;
        let there = tasks::existing(&self.client, IndexName::Videos.uid(), rows.iter().map(|row| row.id)).await?;
        rows.retain(|row| there.contains(&row.id));
        let updated: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let updates: Vec<VideoCounts> = rows.into_iter().map(documents::counts).collect();
        consumers::check(conn, lease).await?;
        let task = tasks::update(&self.client, IndexName::Videos.uid(), &updates).await?;
        tasks::finished(&self.client, task).await?;
        let hidden = videos::hidden(conn, &updated).await?;
        let again: Vec<(Entity, i64)> = hidden.into_iter().map(|id| (Entity::Video, id)).collect();
        Ok(outbox::put_back(conn, lease.consumer, &again).await?)
    }

    /// Ages the view windows. Each process does this once a day.
    pub async fn age_windows(&self) -> Result<(), Error> {
        let (today, mut aged_to) = (OffsetDateTime::now_utc().date(), self.aged_to.lock().await);
        if *aged_to != Some(today) {
            let mut conn = self.pool.acquire().await?;
            counters::roll_windows(&mut conn, today).await?;
            *aged_to = Some(today);
        }
        Ok(())
    }

    /// Updates charts and suggestions.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable.
    pub async fn refresh_charts(&self) -> Result<(), Error> {
        let present = self.present();
        for index in [IndexName::Charts, IndexName::Suggestions].into_iter().filter(|index| present.contains(index)) {
            self.refresh(index).await?;
        }
        self.announce(&Change::Objects(Vec::new())).await
    }
}
