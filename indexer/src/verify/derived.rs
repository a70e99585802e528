//! Verification of indexes that are derived as a whole and refreshed on a schedule. Only entries that must never be listed and entries that
//! live sync updates count as differences.

use std::collections::HashSet;

use lantern_catalog::outbox::{self, Entity};
use lantern_index::{IndexName, text::TermList};
use meilisearch_sdk::documents::DocumentsQuery;
use serde::Deserialize;
use serde_json::Value;

use super::{BATCH, Findings, Run, fingerprint, names};
use crate::{Error, documents};

/// Fields read from a chart entry.
#[derive(Deserialize)]
struct Entry {
    id: String,
    video_id: i64,
}

impl Run<'_> {
    /// Fully verifies the suggestions for categories and models, and checks that no query has a prohibited term.
    pub async fn suggestions(&self) -> Result<Findings, Error> {
        self.indexer.drain().await?;
        let _writer = self.indexer.writer.lock().await;
        let mut moment = lantern_catalog::snapshot(&self.indexer.pool).await?;
        let all = documents::all_suggestions(&mut moment, &self.indexer.config).await?;
        let mut held = self.indexer.fingerprints(self.index).await?;
        let (mut findings, mut wrong) = (Findings::default(), Vec::new());
        for document in all {
            let (id, wanted) = fingerprint(serde_json::from_str(document.get())?)?;
            let found = held.remove(&id);
            let Some(object) = suggested(&id) else { continue };
            findings.checked += 1;
            if found == Some(wanted)
                || !outbox::waiting_of(&mut moment, self.lease.consumer, &[object]).await?.is_empty()
            {
                continue;
            }
            if found.is_some() {
                findings.different += 1
            } else {
                findings.missing += 1
            }
            wrong.push(document);
        }
        let mut gone = Vec::new();
        for id in held.into_keys() {
            let is_wrong = match suggested(&id) {
                Some(object) => outbox::waiting_of(&mut moment, self.lease.consumer, &[object]).await?.is_empty(),
                None => self.is_prohibited(&id).await?,
            };
            if is_wrong {
                gone.push(id);
            }
        }
        moment.rollback().await?;
        findings.surplus = gone.len() as u64;
        self.repair_documents(&wrong, &gone).await?;
        Ok(findings)
    }

    async fn is_prohibited(&self, id: &str) -> Result<bool, Error> {
        let query = self.indexer.client.index(self.index.uid()).get_document::<Value>(id).await?;
        let prohibited = TermList::of(&self.indexer.config.safety);
        Ok(query.get("title").and_then(Value::as_str).is_some_and(|title| prohibited.found_in(title)))
    }

    /// Checks that no entry belongs to a video hidden from guests.
    pub async fn charts(&self) -> Result<Findings, Error> {
        self.indexer.drain().await?;
        let _writer = self.indexer.writer.lock().await;
        let handle = self.indexer.client.index(self.index.uid());
        let mut entries: Vec<(String, i64)> = Vec::new();
        loop {
            let mut query = DocumentsQuery::new(&handle);
            query.with_offset(entries.len()).with_limit(BATCH).with_fields(["id", "video_id"]);
            let page = handle.get_documents_with::<Entry>(&query).await?.results;
            let count = page.len();
            entries.extend(page.into_iter().map(|entry| (entry.id, entry.video_id)));
            if count < BATCH {
                break;
            }
        }
        let (mut findings, mut gone) = (Findings { checked: entries.len() as u64, ..Findings::default() }, Vec::new());
        for chunk in entries.chunks(BATCH) {
            let ids: Vec<i64> = chunk.iter().map(|(_, video)| *video).collect();
            let objects: Vec<(Entity, i64)> = ids.iter().map(|id| (Entity::Video, *id)).collect();
            let mut moment = lantern_catalog::snapshot(&self.indexer.pool).await?;
            let mut hidden: HashSet<String> =
                documents::build(IndexName::Videos, &mut moment, &ids).await?.gone.into_iter().collect();
            for id in names(outbox::waiting_of(&mut moment, self.lease.consumer, &objects).await?) {
                hidden.remove(&id);
            }
            moment.rollback().await?;
            let wrong = chunk.iter().filter(|(_, video)| hidden.contains(&video.to_string()));
            gone.extend(wrong.map(|(id, _)| id.clone()));
        }
        findings.surplus = gone.len() as u64;
        self.repair_documents(&[], &gone).await?;
        Ok(findings)
    }
}

/// Returns the object that a suggestion stands for, or `None` for a query.
fn suggested(id: &str) -> Option<(Entity, i64)> {
    let (kind, id) = id.split_once('-')?;
    let entity = match kind {
        "category" => Entity::Category,
        "model" => Entity::Model,
        _ => return None,
    };
    Some((entity, id.parse().ok()?))
}
