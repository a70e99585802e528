//! Compares every document with the catalog, and repairs the differences on request. Pending changes don't count as differences. Neither
//! does anything that is refreshed on a schedule: counters marked for the next transfer, chart entries and suggested queries. However,
//! chart entries and queries that must never be listed do count: a chart entry for a video hidden from guests, and a query with a
//! prohibited term.

mod derived;
mod passages;
mod rows;

use std::collections::{HashMap, HashSet};

use lantern_catalog::{consumers::Lease, outbox::Entity};
use lantern_index::IndexName;
use meilisearch_sdk::documents::DocumentsQuery;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use sha2::{Digest, Sha256};

use crate::{Error, Indexer, documents, documents::Spellings, refusal, tasks};

/// Documents per read or write.
const BATCH: usize = 1_000;
/// Result of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Number of documents that should exist according to the catalog. For charts, number of entries in the index.
    pub checked: u64,
    /// Documents missing from the index.
    pub missing: u64,
    /// Documents with different content in the index.
    pub different: u64,
    /// Documents in the index that should not exist.
    pub surplus: u64,
}

type Fingerprint = [u8; 32];

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

fn id_of(document: &Value) -> String {
    match document.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => String::new(),
    }
}

/// Returns a document's id and its fingerprint, which doesn't depend on the order of fields.
fn fingerprint(document: Value) -> Result<(String, Fingerprint), Error> {
    let id = id_of(&document);
    let bytes = serde_json::to_vec(&sorted(document))?;
    Ok((id, Sha256::digest(bytes).into()))
}

struct Run<'a> {
    indexer: &'a Indexer,
    lease: Lease,
    index: IndexName,
    repair: bool,
}

impl Indexer {
    /// Compares every document of an index with the catalog. With `repair`, writes missing or different documents and deletes surplus ones.
    /// Live sync continues during the comparison.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable.
    pub async fn verify(&self, index: IndexName, repair: bool) -> Result<Findings, Error> {
        let run = Run { indexer: self, lease: self.join().await?, index, repair };
        match index {
            IndexName::Charts => run.charts().await,
            IndexName::Suggestions => run.suggestions().await,
            IndexName::Captions => run.passages().await,
            _ => run.rows().await,
        }
    }

    /// Reads the files of all indexes of an embedded engine and returns the indexes whose files are damaged or missing, each with the
    /// reason. The engine moves damaged files aside.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable.
    pub async fn damaged(&self) -> Result<Vec<(String, String)>, Error> {
        let absent = self.plan().await?.absent;
        let gone = absent.into_iter().map(|index| (index.uid().to_owned(), "missing".to_owned()));
        let mut damaged: Vec<(String, String)> = gone.collect();
        if self.config.search.url.is_empty() {
            for uid in self.existing_uids().await? {
                damaged.extend(self.client.damage(&uid).await?.map(|damage| (uid, damage)));
            }
        }
        Ok(damaged)
    }

    /// Updates an index that is derived as a whole (charts or suggestions) by writing only the differences.
    pub(crate) async fn refresh(&self, index: IndexName) -> Result<(), Error> {
        let lease = self.join().await?;
        // Live sync waits for one page at most. Because live sync writes suggestions too, that index is locked during the whole refresh.
        let _whole = if index == IndexName::Suggestions { Some(self.writer.lock().await) } else { None };
        let mut held = self.fingerprints(index).await?;
        let mut after = 0;
        loop {
            let _page = if index == IndexName::Suggestions { None } else { Some(self.writer.lock().await) };
            let mut conn = self.pool.acquire().await?;
            let page =
                documents::page(index, &mut conn, after, BATCH as i64, &self.config, &mut Spellings::default()).await?;
            let Some(last) = page.last_id else { break };
            after = last;
            let mut wrong: Vec<Box<RawValue>> = Vec::new();
            for document in page.documents {
                let (id, wanted) = fingerprint(serde_json::from_str(document.get())?)?;
                if held.remove(&id) != Some(wanted) {
                    wrong.push(document);
                }
            }
            drop(conn);
            for chunk in wrong.chunks(BATCH) {
                let refused = refusal::write_accepted(self, &lease, index.uid(), chunk).await?;
                self.park_rejected(&lease, index, &refused).await?;
            }
        }
        let surplus: Vec<String> = held.into_keys().collect();
        for chunk in surplus.chunks(BATCH) {
            self.check(&lease).await?;
            let task = tasks::delete(&self.client, index.uid(), chunk).await?;
            tasks::finished(&self.client, task).await?;
        }
        Ok(())
    }

    async fn fingerprints(&self, index: IndexName) -> Result<HashMap<String, Fingerprint>, Error> {
        let handle = self.client.index(index.uid());
        let mut held = HashMap::new();
        loop {
            let mut query = DocumentsQuery::new(&handle);
            query.with_offset(held.len()).with_limit(BATCH);
            let page = handle.get_documents_with::<Value>(&query).await?;
            let count = page.results.len();
            for document in page.results {
                let (id, fingerprint) = fingerprint(document)?;
                held.insert(id, fingerprint);
            }
            if count < BATCH {
                return Ok(held);
            }
        }
    }
}

impl Run<'_> {
    /// The caller must hold the writer's lock, unless the ids cannot belong to any row.
    async fn repair_documents(&self, wrong: &[Box<RawValue>], gone: &[String]) -> Result<(), Error> {
        if !self.repair || wrong.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let uid = self.index.uid();
        for chunk in wrong.chunks(BATCH) {
            let refused = refusal::write_accepted(self.indexer, &self.lease, uid, chunk).await?;
            self.indexer.park_rejected(&self.lease, self.index, &refused).await?;
        }
        self.indexer.check(&self.lease).await?;
        for chunk in gone.chunks(BATCH) {
            tasks::finished(&self.indexer.client, tasks::delete(&self.indexer.client, uid, chunk).await?).await?;
        }
        Ok(())
    }
}

fn names(objects: Vec<(Entity, i64)>) -> HashSet<String> {
    objects.into_iter().map(|(_, id)| id.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fingerprint;

    #[test]
    fn fingerprint_depends_on_content_but_not_on_field_order() {
        let a = fingerprint(json!({"id": 1, "x": {"a": 1, "b": [2, 3]}})).unwrap();
        assert_eq!(a, fingerprint(json!({"x": {"b": [2, 3], "a": 1}, "id": 1})).unwrap());
        assert_ne!(a, fingerprint(json!({"id": 1, "x": {"a": 1, "b": [3, 2]}})).unwrap());
    }
}
