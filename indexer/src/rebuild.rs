//! Performs a full rebuild without downtime.
//!
//! Shadow indexes are filled by keyset pagination, with a resume point for each page. Objects that change in the meantime are recorded as
//! dirty and replayed. Then the counts are compared with the catalog, and all shadows are swapped in at once. After being killed, a process
//! resumes at the last page.

use std::collections::VecDeque;

use lantern_catalog::{
    changes::Change,
    consumers::{self, Lease},
    outbox,
};
use lantern_index::{IndexName, settings};
use meilisearch_sdk::{client::SwapIndexes, task_info::TaskInfo};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::{Error, Indexer, Progress, apply, documents, documents::Spellings, plan, refusal, tasks};

/// Progress report of a rebuild.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Index being filled.
    pub index: IndexName,
    /// Documents written so far.
    pub done: u64,
    /// Number of rows to write. This is an estimate, because the catalog may change.
    pub total: u64,
}

/// Page submitted to a shadow index.
struct PendingPage {
    /// Id after which the page starts.
    after: i64,
    task: Result<Option<TaskInfo>, Error>,
    /// Progress that is reached once the page is written.
    reached: Progress,
}

impl Indexer {
    /// Fills shadows of `indexes` and swaps them in. Resumes an interrupted rebuild.
    ///
    /// # Errors
    /// If Postgres or the engine is unavailable, another process has become the writer, or the result doesn't match the catalog. The old
    /// indexes then stay live.
    pub async fn rebuild(&self, indexes: &[IndexName], report: &(dyn Fn(Step) + Send + Sync)) -> Result<(), Error> {
        let lease = self.rejoin().await?;
        let outcome = self.rebuild_as(&lease, indexes, report).await;
        if outcome.as_ref().is_err_and(Error::is_superseded) {
            // The last page or the swap may have interfered with the other writer.
            consumers::doubt(&mut *self.pool.acquire().await?, lease.consumer).await?;
            self.membership.drop_lease(&lease).await;
        }
        outcome
    }

    async fn rebuild_as(
        &self,
        lease: &Lease,
        indexes: &[IndexName],
        report: &(dyn Fn(Step) + Send + Sync),
    ) -> Result<(), Error> {
        let fingerprint = hex::encode(Sha256::digest(serde_json::to_vec(&plan::builds(&self.config)?)?));
        if self.checkpoints.rebuilding()?.as_deref() != Some(&fingerprint) {
            self.checkpoints.begin(&fingerprint)?;
        }
        // Transactions that started before this consumer registered leave no outbox row, so wait until they are visible.
        consumers::settle(&mut *self.pool.acquire().await?).await?;
        for index in indexes {
            self.fill(lease, *index, report).await?;
        }
        let _writer = self.writer.lock().await;
        let refused = self.replay(lease, indexes).await?;
        self.compare(lease, indexes, refused).await?;
        self.check(lease).await?;
        self.swap_in(indexes).await?;
        self.record_builds(lease, indexes).await?;
        self.mark_present(indexes);
        self.checkpoints.forget()?;
        self.announce(&Change::Everything).await
    }

    async fn fill(&self, lease: &Lease, index: IndexName, report: &(dyn Fn(Step) + Send + Sync)) -> Result<(), Error> {
        let shadow = index.shadow_uid();
        let mut at = self.checkpoints.progress(index)?;
        if at.complete && self.exists(&shadow).await? {
            return Ok(());
        }
        if at.last_id == 0 || !self.exists(&shadow).await? {
            at = Progress::default();
            self.create(&shadow, index).await?;
        }
        let mut conn = self.pool.acquire().await?;
        let total = documents::count(index, &mut conn, &self.config).await?;
        report(Step { index, done: at.written, total });
        // The engine batches queued pages, and larger batches need fewer passes over the index.
        let mut ahead: VecDeque<PendingPage> = VecDeque::new();
        let mut spelled = Spellings::default();
        let (mut cursor, mut refused) = (at, at.refused);
        loop {
            let after = cursor.last_id;
            let page =
                documents::page(index, &mut conn, after, self.config.sync.rebuild_batch, &self.config, &mut spelled)
                    .await?;
            let full = if page.last_id.is_some() { self.config.sync.rebuild_ahead } else { 1 };
            while ahead.len() >= full
                && let Some(mut pending) = ahead.pop_front()
            {
                refused += self.written(lease, index, &mut conn, &mut pending).await?;
                pending.reached.refused = refused;
                self.checkpoints.set_progress(index, pending.reached)?;
                report(Step { index, done: pending.reached.written, total });
            }
            let Some(last_id) = page.last_id else { break };
            cursor.last_id = last_id;
            cursor.written += page.documents.len() as u64;
            if !page.documents.is_empty() {
                consumers::check(&mut conn, lease).await?;
                let task = tasks::replace(&self.client, &shadow, &page.documents).await;
                ahead.push_back(PendingPage { after, task, reached: cursor });
            }
        }
        tasks::compact(&self.client, &shadow).await?;
        cursor.refused = refused;
        cursor.complete = true;
        self.checkpoints.set_progress(index, cursor)
    }

    /// Waits until a page is written. If the engine rejects it, reads the page again, writes the accepted documents and parks the others.
    /// Returns the number of rejected documents.
    async fn written(
        &self,
        lease: &Lease,
        index: IndexName,
        conn: &mut PgConnection,
        pending: &mut PendingPage,
    ) -> Result<u64, Error> {
        let outcome = match std::mem::replace(&mut pending.task, Ok(None)) {
            Ok(task) => tasks::finished(&self.client, task).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => Ok(0),
            Err(error) if error.is_rejection() => {
                let (batch, spelled) = (self.config.sync.rebuild_batch, &mut Spellings::default());
                let page = documents::page(index, conn, pending.after, batch, &self.config, spelled).await?;
                let refused = refusal::write_accepted(self, lease, &index.shadow_uid(), &page.documents).await?;
                self.park_rejected(lease, index, &refused).await?;
                Ok(refused.len() as u64)
            }
            Err(error) => Err(error),
        }
    }

    /// Applies everything that changed while the shadows were filled. The caller holds the writer's lock, so the live index doesn't change
    /// during the replay. Returns the number of rejected and parked objects.
    async fn replay(&self, lease: &Lease, indexes: &[IndexName]) -> Result<u64, Error> {
        let mut count = 0;
        let dirty = self.checkpoints.dirty()?;
        for chunk in dirty.chunks(1000) {
            let (_, refused) = apply::apply_accepted(self, lease, chunk, indexes, &|index| index.shadow_uid()).await?;
            count += refused.len() as u64;
            for ((entity, id), reason) in refused {
                self.park(lease, entity, id, &reason.to_string()).await?;
            }
        }
        Ok(count)
    }

    async fn compare(&self, lease: &Lease, indexes: &[IndexName], replay_refused: u64) -> Result<(), Error> {
        let mut conn = self.pool.acquire().await?;
        for index in indexes {
            let found = self.client.index(index.shadow_uid()).get_stats().await?.number_of_documents as u64;
            let expected = documents::count(*index, &mut conn, &self.config).await?;
            // Rows that changed since the last batch are still in the outbox and are applied after the swap.
            let waiting = u64::try_from(outbox::waiting(&mut conn, lease.consumer).await?).unwrap_or(0);
            let refused = self.checkpoints.progress(*index)?.refused + replay_refused;
            let each = documents::most_per_object(*index, &mut conn).await?;
            if found.abs_diff(expected) > (waiting + refused) * each {
                return Err(Error::Mismatch { index: index.uid(), found, expected });
            }
        }
        Ok(())
    }

    async fn swap_in(&self, indexes: &[IndexName]) -> Result<(), Error> {
        for index in indexes {
            if !self.exists(index.uid()).await? {
                let task = self.client.create_index(index.uid(), Some("id")).await?;
                tasks::finished(&self.client, task).await?;
            }
        }
        let shadows: Vec<String> = indexes.iter().map(|index| index.shadow_uid()).collect();
        let pairs: Vec<SwapIndexes> = indexes
            .iter()
            .zip(&shadows)
            .map(|(index, shadow)| SwapIndexes { indexes: (index.uid().to_owned(), shadow.clone()), rename: None })
            .collect();
        let task = self.client.swap_indexes(&pairs).await?;
        tasks::finished(&self.client, task).await?;
        for shadow in &shadows {
            let task = self.client.delete_index(shadow).await?;
            tasks::finished(&self.client, task).await?;
        }
        Ok(())
    }

    async fn create(&self, uid: &str, index: IndexName) -> Result<(), Error> {
        if self.exists(uid).await? {
            let task = self.client.delete_index(uid).await?;
            tasks::finished(&self.client, task).await?;
        }
        let task = self.client.create_index(uid, Some("id")).await?;
        tasks::finished(&self.client, task).await?;
        let task = self.client.index(uid).set_settings(&settings::settings(index, &self.config)).await?;
        tasks::finished(&self.client, task).await
    }

    pub(crate) async fn exists(&self, uid: &str) -> Result<bool, Error> {
        Ok(self.existing_uids().await?.contains(uid))
    }
}
