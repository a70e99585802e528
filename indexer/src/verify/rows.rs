//! Verification of indexes with one document per row.

use std::collections::HashMap;

use lantern_catalog::{
    counters,
    outbox::{self, Entity},
};
use meilisearch_sdk::documents::DocumentsQuery;
use serde_json::Value;

use super::{BATCH, Findings, Run, fingerprint, id_of, names, sorted};
use crate::{Error, apply::entity_of, documents, documents::Spellings};

/// Fields that the transfer of counters updates.
const COUNTERS: [&str; 8] =
    ["viewed", "viewed_day", "viewed_week", "viewed_month", "comments", "rating", "standing", "subscribers"];

impl Run<'_> {
    /// Verifies the index. Both sides may change during the first pass, so documents that differ are checked again with live sync paused.
    pub async fn rows(&self) -> Result<Findings, Error> {
        let mut held = self.indexer.fingerprints(self.index).await?;
        let mut findings = Findings::default();
        let mut suspects: Vec<i64> = Vec::new();
        let (mut after, mut spelled) = (0, Spellings::default());
        loop {
            let mut conn = self.indexer.pool.acquire().await?;
            let config = &self.indexer.config;
            let page = documents::page(self.index, &mut conn, after, BATCH as i64, config, &mut spelled).await?;
            let Some(last) = page.last_id else { break };
            after = last;
            for document in page.documents {
                let (id, wanted) = fingerprint(serde_json::from_str(document.get())?)?;
                findings.checked += 1;
                if held.remove(&id) != Some(wanted) {
                    suspects.push(
                        id.parse()
                            .map_err(|_| Error::Request(format!("document {id} has an id that no row can have")))?,
                    );
                }
            }
        }
        let (rows, strangers): (Vec<_>, Vec<_>) = held.into_keys().partition(|id| id.parse::<i64>().is_ok());
        suspects.extend(rows.iter().filter_map(|id| id.parse::<i64>().ok()));
        for chunk in suspects.chunks(BATCH) {
            self.recheck(chunk, &mut findings).await?;
        }
        findings.surplus += strangers.len() as u64;
        self.repair_documents(&[], &strangers).await?;
        Ok(findings)
    }

    async fn recheck(&self, ids: &[i64], findings: &mut Findings) -> Result<(), Error> {
        let Some(entity) = entity_of(self.index) else { return Ok(()) };
        self.indexer.drain().await?;
        let _writer = self.indexer.writer.lock().await;
        let objects: Vec<(Entity, i64)> = ids.iter().map(|id| (entity, *id)).collect();
        // Use a snapshot, so that a row not yet in the index is in the outbox.
        let mut moment = lantern_catalog::snapshot(&self.indexer.pool).await?;
        let built = documents::build(self.index, &mut moment, ids).await?;
        let waiting = names(outbox::waiting_of(&mut moment, self.lease.consumer, &objects).await?);
        let counting = names(counters::marked_of(&mut moment, self.lease.consumer, &objects).await?);
        moment.rollback().await?;
        let mut held = self.documents(ids).await?;
        let (mut wrong, mut gone) = (Vec::new(), Vec::new());
        for document in built.documents {
            let mut wanted: Value = serde_json::from_str(document.get())?;
            let id = id_of(&wanted);
            let mut found = held.remove(&id);
            if waiting.contains(&id) {
                continue;
            }
            if counting.contains(&id) {
                for side in std::iter::once(&mut wanted).chain(&mut found) {
                    COUNTERS.iter().for_each(|field| drop(side.as_object_mut().and_then(|of| of.remove(*field))));
                }
            }
            match found {
                Some(found) if sorted(found.clone()) == sorted(wanted.clone()) => continue,
                Some(_) => findings.different += 1,
                None => findings.missing += 1,
            }
            wrong.push(document);
        }
        for id in built.gone {
            if held.contains_key(&id) && !waiting.contains(&id) {
                findings.surplus += 1;
                gone.push(id);
            }
        }
        self.repair_documents(&wrong, &gone).await?;
        if self.repair && self.indexer.check(&self.lease).await.is_err_and(|error| error.is_superseded()) {
            // This write may have overwritten newer documents of another writer: make that writer read these objects again.
            let mut conn = self.indexer.pool.acquire().await?;
            outbox::put_back(&mut conn, self.lease.consumer, &objects).await?;
        }
        Ok(())
    }

    async fn documents(&self, ids: &[i64]) -> Result<HashMap<String, Value>, Error> {
        let handle = self.indexer.client.index(self.index.uid());
        let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
        let mut query = DocumentsQuery::new(&handle);
        query.with_ids(ids.iter().map(String::as_str)).with_limit(BATCH);
        let found = handle.get_documents_with::<Value>(&query).await?.results;
        Ok(found.into_iter().map(|document| (id_of(&document), document)).collect())
    }
}
