//! A full build without a gap for visitors.
//!
//! Shadow indexes are filled by keyset pages, a resume point is stored per page, what changes meanwhile is
//! recorded as dirty and replayed, the counts are compared with the catalog, then the shadows are swapped in
//! at once. A process killed half-way resumes at the last page.

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

/// What a rebuild reports while it runs.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Index being filled.
    pub index: IndexName,
    /// Documents written so far.
    pub done: u64,
    /// Rows to write; an estimate while the catalog changes.
    pub total: u64,
}

/// A page on its way into a shadow index.
struct Handover {
    /// Where the page starts.
    after: i64,
    task: Result<Option<TaskInfo>, Error>,
    /// How far the build is once the page is written.
    reached: Progress,
}

impl Indexer {
    /// Fills shadows of `indexes` and swaps them in. Resumes an interrupted rebuild.
    ///
    /// # Errors
    /// Postgres or the engine is away, another process took over, or the result doesn't match the catalog; the old indexes
    /// stay.
    pub async fn rebuild(&self, indexes: &[IndexName], report: &(dyn Fn(Step) + Send + Sync)) -> Result<(), Error> {
        let lease = self.join_anew().await?;
        let outcome = self.rebuild_as(&lease, indexes, report).await;
        if outcome.as_ref().is_err_and(Error::is_superseded) {
            // The last page or the swap may have come between what the other one does.
            consumers::doubt(&mut *self.pool.acquire().await?, lease.consumer).await?;
            self.membership.let_go(&lease).await;
        }
        outcome
    }

    async fn rebuild_as(
        &self,
        lease: &Lease,
        indexes: &[IndexName],
        report: &(dyn Fn(Step) + Send + Sync),
    ) -> Result<(), Error> {
        let fingerprint = hex::encode(Sha256::digest(serde_json::to_vec(&plan::makes(&self.config)?)?));
        if self.checkpoints.rebuilding()?.as_deref() != Some(&fingerprint) {
            self.checkpoints.begin(&fingerprint)?;
        }
        // A transaction that doesn't know of this consumer leaves no row, so its changes must be there to be read.
        consumers::settle(&mut *self.pool.acquire().await?).await?;
        for index in indexes {
            self.fill(lease, *index, report).await?;
        }
        let _writer = self.writer.lock().await;
        let refused = self.replay(lease, indexes).await?;
        self.compare(lease, indexes, refused).await?;
        self.check(lease).await?;
        self.swap_in(indexes).await?;
        self.note_made(lease, indexes).await?;
        self.note_present(indexes);
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
        // What waits is written together, and the larger the part, the less often its index is gone through.
        let mut ahead: VecDeque<Handover> = VecDeque::new();
        let mut spelled = Spellings::default();
        let (mut cursor, mut refused) = (at, at.refused);
        loop {
            let after = cursor.last_id;
            let page =
                documents::page(index, &mut conn, after, self.config.sync.rebuild_batch, &self.config, &mut spelled)
                    .await?;
            let full = if page.last_id.is_some() { self.config.sync.rebuild_ahead } else { 1 };
            while ahead.len() >= full
                && let Some(mut handed) = ahead.pop_front()
            {
                refused += self.written(lease, index, &mut conn, &mut handed).await?;
                handed.reached.refused = refused;
                self.checkpoints.set_progress(index, handed.reached)?;
                report(Step { index, done: handed.reached.written, total });
            }
            let Some(last_id) = page.last_id else { break };
            cursor.last_id = last_id;
            cursor.written += page.documents.len() as u64;
            if !page.documents.is_empty() {
                consumers::check(&mut conn, lease).await?;
                let task = tasks::replace(&self.client, &shadow, &page.documents).await;
                ahead.push_back(Handover { after, task, reached: cursor });
            }
        }
        tasks::compact(&self.client, &shadow).await?;
        cursor.refused = refused;
        cursor.complete = true;
        self.checkpoints.set_progress(index, cursor)
    }

    /// Waits until a page is written. When the engine refuses it, it is read again, all but what is at fault is written and that is
    /// parked; answers how many documents that are.
    async fn written(
        &self,
        lease: &Lease,
        index: IndexName,
        conn: &mut PgConnection,
        handed: &mut Handover,
    ) -> Result<u64, Error> {
        let outcome = match std::mem::replace(&mut handed.task, Ok(None)) {
            Ok(task) => tasks::finished(&self.client, task).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => Ok(0),
            Err(error) if error.is_refusal() => {
                let (batch, spelled) = (self.config.sync.rebuild_batch, &mut Spellings::default());
                let page = documents::page(index, conn, handed.after, batch, &self.config, spelled).await?;
                let refused = refusal::write_willing(self, lease, &index.shadow_uid(), &page.documents).await?;
                self.set_aside(lease, index, &refused).await?;
                Ok(refused.len() as u64)
            }
            Err(error) => Err(error),
        }
    }

    /// Brings the shadows up to date with everything that changed while they were filled. The caller
    /// holds the writer, so nothing changes the live index meanwhile. Answers how many objects were refused and are parked.
    async fn replay(&self, lease: &Lease, indexes: &[IndexName]) -> Result<u64, Error> {
        let mut count = 0;
        let dirty = self.checkpoints.dirty()?;
        for chunk in dirty.chunks(1000) {
            let (_, refused) = apply::apply_willing(self, lease, chunk, indexes, &|index| index.shadow_uid()).await?;
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
            // Rows that changed since the last batch are still in the outbox and follow after the swap.
            let waiting = u64::try_from(outbox::waiting(&mut conn, lease.consumer).await?).unwrap_or(0);
            let refused = self.checkpoints.progress(*index)?.refused + replay_refused;
            if found.abs_diff(expected) > waiting + refused {
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
        Ok(self.there().await?.contains(uid))
    }
}
