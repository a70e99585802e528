//! Verification of captions, of which a video has many documents. Each page of videos is compared with what the index holds of the same
//! range of ids, because all of it would not fit in memory.

use std::collections::{BTreeSet, HashMap};

use lantern_catalog::{
    documents::captions::ids_after,
    outbox::{self, Entity},
};
use lantern_index::{CaptionsDoc, Filter};
use serde_json::value::RawValue;

use super::{Findings, Fingerprint, Run, fingerprint, names};
use crate::{
    Error,
    documents::{self, captions::held},
};

/// Videos per page.
const VIDEOS: i64 = 20;

/// Passages by id, with their fingerprints.
fn fingerprints(passages: &[Box<RawValue>]) -> Result<HashMap<String, Fingerprint>, Error> {
    passages.iter().map(|passage| fingerprint(serde_json::from_str(passage.get())?)).collect()
}

impl Run<'_> {
    /// Verifies the captions. Both sides may change during the first pass, so videos that differ are checked again with live sync paused.
    pub async fn passages(&self) -> Result<Findings, Error> {
        let (mut findings, mut suspects, mut after) = (Findings::default(), BTreeSet::new(), 0);
        loop {
            let mut conn = self.indexer.pool.acquire().await?;
            let ids = ids_after(&mut conn, after, VIDEOS).await?;
            let wanted = fingerprints(&documents::build(self.index, &mut conn, &ids).await?.documents)?;
            drop(conn);
            let range = Filter::gt("video_id", after);
            let range = match ids.last() {
                Some(last) => range.and(Filter::le("video_id", *last)),
                None => range,
            };
            let found = fingerprints(&held(&self.indexer.client, self.index.uid(), &range).await?)?;
            findings.checked += wanted.len() as u64;
            let differing = wanted.iter().filter(|(id, print)| found.get(*id) != Some(print)).map(|(id, _)| id);
            let surplus = found.keys().filter(|id| !wanted.contains_key(*id));
            suspects.extend(differing.chain(surplus).filter_map(|id| CaptionsDoc::video_of(id)));
            match ids.last() {
                Some(last) => after = *last,
                None => break,
            }
        }
        let suspects: Vec<i64> = suspects.into_iter().collect();
        for videos in suspects.chunks(VIDEOS as usize) {
            self.recheck_passages(videos, &mut findings).await?;
        }
        Ok(findings)
    }

    async fn recheck_passages(&self, videos: &[i64], findings: &mut Findings) -> Result<(), Error> {
        self.indexer.drain().await?;
        let _writer = self.indexer.writer.lock().await;
        let objects: Vec<(Entity, i64)> = videos.iter().map(|id| (Entity::Video, *id)).collect();
        // Use a snapshot, so that a row not yet in the index is in the outbox.
        let mut moment = lantern_catalog::snapshot(&self.indexer.pool).await?;
        let built = documents::build(self.index, &mut moment, videos).await?;
        let waiting = names(outbox::waiting_of(&mut moment, self.lease.consumer, &objects).await?);
        moment.rollback().await?;
        let of_videos = Filter::in_("video_id", videos.iter().copied());
        let mut found = fingerprints(&held(&self.indexer.client, self.index.uid(), &of_videos).await?)?;
        let is_waiting = |id: &str| CaptionsDoc::video_of(id).is_some_and(|video| waiting.contains(&video.to_string()));
        let mut wrong = Vec::new();
        for document in built.documents {
            let (id, wanted) = fingerprint(serde_json::from_str(document.get())?)?;
            let found = found.remove(&id);
            if found == Some(wanted) || is_waiting(&id) {
                continue;
            }
            if found.is_some() {
                findings.different += 1
            } else {
                findings.missing += 1
            }
            wrong.push(document);
        }
        let gone: Vec<String> = found.into_keys().filter(|id| !is_waiting(id)).collect();
        findings.surplus += gone.len() as u64;
        self.repair_documents(&wrong, &gone).await?;
        if self.repair && self.indexer.check(&self.lease).await.is_err_and(|error| error.is_superseded()) {
            // This write may have overwritten newer documents of another writer: make that writer read these videos again.
            let mut conn = self.indexer.pool.acquire().await?;
            outbox::put_back(&mut conn, self.lease.consumer, &objects).await?;
        }
        Ok(())
    }
}
