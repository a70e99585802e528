//! Proof that nothing is lost: every document compared with the catalog, differences repaired on request.

use std::collections::HashMap;

use meilisearch_sdk::documents::DocumentsQuery;
use serde_json::{Map, Value, value::RawValue};
use sha2::{Digest, Sha256};

use crate::{Error, IndexName, Indexer, documents, tasks};

/// Documents read or written at once.
const BATCH: usize = 1_000;

/// What a comparison found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Findings {
    /// Documents the catalog calls for.
    pub checked: u64,
    /// Called for, but not in the index.
    pub missing: u64,
    /// In the index with other content.
    pub different: u64,
    /// In the index, but not called for.
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

/// Id and fingerprint of a document; the order of fields doesn't count.
fn fingerprint(document: Value) -> Result<(String, Fingerprint), Error> {
    let id = match document.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => String::new(),
    };
    let bytes = serde_json::to_vec(&sorted(document))?;
    Ok((id, Sha256::digest(bytes).into()))
}

impl Indexer {
    /// Compares every document of an index with the catalog. With `repair` writes what is missing or
    /// different and deletes what is surplus. Run it after [`Indexer::drain`]; what is still in the outbox
    /// counts as different.
    ///
    /// # Errors
    /// Postgres or the engine is away.
    pub async fn verify(&self, index: IndexName, repair: bool) -> Result<Findings, Error> {
        // Live sync waits for a page at most. Suggestions are written by two hands, so they are held as a whole.
        let _whole = if index == IndexName::Suggestions { Some(self.writer.lock().await) } else { None };
        let mut held = self.fingerprints(index).await?;
        let mut findings = Findings::default();
        let mut after = 0;
        loop {
            let _page = if index == IndexName::Suggestions { None } else { Some(self.writer.lock().await) };
            let mut conn = self.pool.acquire().await?;
            let page = documents::page(index, &mut conn, after, BATCH as i64, &self.config).await?;
            let Some(last) = page.last_id else { break };
            after = last;
            let mut wrong: Vec<Box<RawValue>> = Vec::new();
            for document in page.documents {
                let (id, wanted) = fingerprint(serde_json::from_str(document.get())?)?;
                findings.checked += 1;
                match held.remove(&id) {
                    Some(found) if found == wanted => continue,
                    Some(_) => findings.different += 1,
                    None => findings.missing += 1,
                }
                wrong.push(document);
            }
            if repair {
                for chunk in wrong.chunks(BATCH) {
                    let task = tasks::replace(&self.client, index.uid(), chunk).await?;
                    tasks::finished(&self.client, task).await?;
                }
            }
        }
        findings.surplus = held.len() as u64;
        if repair {
            let surplus: Vec<String> = held.into_keys().collect();
            for chunk in surplus.chunks(BATCH) {
                self.remove_surplus(index, chunk).await?;
            }
        }
        Ok(findings)
    }

    /// Deletes what is surplus still: an object may have appeared since the index was read.
    async fn remove_surplus(&self, index: IndexName, ids: &[String]) -> Result<(), Error> {
        let rows: Option<Vec<i64>> = ids.iter().map(|id| id.parse().ok()).collect();
        let Some(rows) = rows.filter(|_| !matches!(index, IndexName::Suggestions | IndexName::Charts)) else {
            let task = tasks::delete(&self.client, index.uid(), ids).await?;
            return tasks::finished(&self.client, task).await;
        };
        let _writer = self.writer.lock().await;
        let mut conn = self.pool.acquire().await?;
        let gone = documents::build(index, &mut conn, &rows).await?.gone;
        let task = tasks::delete(&self.client, index.uid(), &gone).await?;
        tasks::finished(&self.client, task).await
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fingerprint;

    #[test]
    fn order_of_fields_does_not_count_but_content_does() {
        let a = fingerprint(json!({"id": 1, "x": {"a": 1, "b": [2, 3]}})).unwrap();
        assert_eq!(a, fingerprint(json!({"x": {"b": [2, 3], "a": 1}, "id": 1})).unwrap());
        assert_ne!(a, fingerprint(json!({"id": 1, "x": {"a": 1, "b": [3, 2]}})).unwrap());
    }
}
