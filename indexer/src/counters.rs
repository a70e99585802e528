//! Counters reach the index on an interval, not per click (T6): partial updates of videos, whole documents
//! of the smaller indexes, and the charts and suggestions that follow from them.

use std::collections::BTreeMap;

use lantern_catalog::{changes::Change, counters, documents::videos, outbox::Entity};
use time::{Date, OffsetDateTime};

use crate::{Error, IndexName, Indexer, apply, documents::Counters, tasks};

/// Marks taken at once.
const BATCH: i64 = 5_000;

impl Indexer {
    /// Transfers every changed counter and says how many objects had one.
    ///
    /// # Errors
    /// Postgres or the engine is away; the marks stay for the next interval.
    pub async fn transfer_counters(&self) -> Result<u64, Error> {
        let mut transferred = 0;
        loop {
            // Under the writer's lock, so that an object hidden meanwhile can't come back as a stub.
            let _writer = self.writer.lock().await;
            let mut conn = self.pool.acquire().await?;
            let marks = counters::marked(&mut conn, BATCH).await?;
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
                    let rows = videos::counters(&mut conn, &ids).await?;
                    let updates: Vec<Counters> = rows.into_iter().map(Counters::from).collect();
                    let task = tasks::update(&self.client, IndexName::Videos.uid(), &updates).await?;
                    tasks::finished(&self.client, task).await?;
                } else {
                    let keys: Vec<(Entity, i64)> = ids.iter().map(|id| (entity, *id)).collect();
                    let change = apply::apply(self, &keys, &IndexName::ALL, &|index| index.uid().to_owned()).await?;
                    self.announce(&change).await?;
                }
            }
            counters::clear(&mut conn, &marks).await?;
            transferred += marks.len() as u64;
            self.announce(&Change::Objects(Vec::new())).await?;
        }
    }

    /// Ages the view windows once a day and brings charts and suggestions up to date.
    ///
    /// # Errors
    /// Postgres or the engine is away.
    pub async fn refresh_charts(&self, rolled: &mut Option<Date>) -> Result<(), Error> {
        let today = OffsetDateTime::now_utc().date();
        if *rolled != Some(today) {
            let mut conn = self.pool.acquire().await?;
            counters::roll_windows(&mut conn, today).await?;
            *rolled = Some(today);
        }
        for index in [IndexName::Charts, IndexName::Suggestions] {
            self.verify(index, true).await?;
        }
        self.announce(&Change::Objects(Vec::new())).await
    }
}
