//! Distinguishes rejected documents from outages. A rejected document is parked, so that it blocks nothing else. Every other failure is an
//! outage, which is waited out: a full disk, a full queue, a missing index, a wrong key, or any unknown error.

use std::fmt::Display;

use lantern_catalog::{consumers::Lease, outbox::Entity, parked};
use lantern_index::{CaptionsDoc, IndexName};
use meilisearch_sdk::errors::{Error as SdkError, ErrorCode};
use serde_json::value::RawValue;

use crate::{Error, Indexer, apply::entity_of, documents, tasks};

/// Status "Payload too large", which a proxy in front of a Meilisearch server may return.
const TOO_LARGE: u16 = 413;

/// Document that the engine rejects.
#[derive(Debug)]
pub struct RejectedDocument {
    /// Id in its index.
    pub id: String,
    pub reason: String,
}

impl Error {
    /// Whether the sent documents caused the error, because one is invalid or they are too many for one payload.
    #[must_use]
    pub fn is_rejection(&self) -> bool {
        match self {
            Self::Engine(SdkError::Meilisearch(error)) => concerns_document(&error.error_code),
            // Waiting doesn't shrink the payload.
            Self::Engine(SdkError::MeilisearchCommunication(error)) => error.status_code == TOO_LARGE,
            Self::Task(error) => concerns_document(&error.error_code),
            Self::Json(_) => true,
            _ => false,
        }
    }
}

fn concerns_document(code: &ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::InvalidDocumentGeoField
            | ErrorCode::InvalidDocumentId
            | ErrorCode::MalformedPayload
            | ErrorCode::MaxFieldsLimitExceeded
            | ErrorCode::MissingDocumentId
            | ErrorCode::PayloadTooLarge
    )
}

/// Writes the `documents` that the engine accepts, as the writer with this lease, and returns those it rejects.
///
/// # Errors
/// If another process is the writer or the engine is unavailable.
pub async fn write_accepted(
    indexer: &Indexer,
    lease: &Lease,
    uid: &str,
    documents: &[Box<RawValue>],
) -> Result<Vec<RejectedDocument>, Error> {
    let mut refused = Vec::new();
    let mut parts = vec![documents];
    while let Some(part) = parts.pop() {
        let written = async {
            indexer.check(lease).await?;
            let task = tasks::replace(&indexer.client, uid, part).await?;
            tasks::finished(&indexer.client, task).await
        };
        match written.await {
            Ok(()) => {}
            Err(error) if !error.is_rejection() => return Err(error),
            Err(error) => match part {
                [document] => {
                    refused.push(RejectedDocument { id: documents::id(document)?, reason: error.to_string() })
                }
                _ => {
                    let (left, right) = part.split_at(part.len() / 2);
                    parts.extend([right, left]);
                }
            },
        }
    }
    Ok(refused)
}

impl Indexer {
    /// Parks the objects of an index's rejected documents. Chart entries and suggested queries are not objects, so the next refresh retries
    /// them instead.
    pub(crate) async fn park_rejected(
        &self,
        lease: &Lease,
        index: IndexName,
        refused: &[RejectedDocument],
    ) -> Result<(), Error> {
        for RejectedDocument { id, reason } in refused {
            match object(index, id) {
                Some((entity, entity_id)) => self.park(lease, entity, entity_id, reason).await?,
                None => tracing::error!(index = index.uid(), id, reason, "document rejected and skipped"),
            }
        }
        Ok(())
    }

    /// Parks an object that has no claimed outbox row.
    pub(crate) async fn park(&self, lease: &Lease, entity: Entity, entity_id: i64, reason: &str) -> Result<(), Error> {
        log_rejection(entity, entity_id, reason);
        let mut conn = self.pool.acquire().await?;
        let pauses = &self.config.sync.parked_retry_seconds;
        Ok(parked::park_object(&mut conn, lease.consumer, entity, entity_id, reason, pauses).await?)
    }
}

pub fn log_rejection(entity: Entity, entity_id: i64, reason: impl Display) {
    tracing::error!(%entity, entity_id, %reason, "document rejected; object parked for retry");
}

/// Returns the object that a document belongs to.
fn object(index: IndexName, id: &str) -> Option<(Entity, i64)> {
    if index == IndexName::Captions {
        return Some((Entity::Video, CaptionsDoc::video_of(id)?));
    }
    let (entity, id) = match (entity_of(index), id.rsplit_once('-')) {
        (Some(entity), _) => (entity, id),
        (None, Some(("category", id))) => (Entity::Category, id),
        (None, Some(("model", id))) => (Entity::Model, id),
        _ => return None,
    };
    Some((entity, id.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use meilisearch_sdk::errors::{MeilisearchCommunicationError, MeilisearchError};
    use serde_json::json;

    use super::*;

    /// Returns every error code of the engine with its type, read from the lines of the engine's table.
    fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
        include_str!("../../engine/src/http/codes.rs").lines().filter_map(|line| {
            let mut words = line.trim().strip_suffix(';')?.split('"');
            let (_, code, _, kind) = (words.next()?, words.next()?, words.next()?, words.next()?);
            Some((code, kind))
        })
    }

    fn said(code: &str, kind: &str) -> MeilisearchError {
        serde_json::from_value(json!({ "message": "no", "code": code, "type": kind, "link": "" })).unwrap()
    }

    fn is_rejection(code: &str, kind: &str) -> bool {
        let (task, door) = (Error::Task(Box::new(said(code, kind))), Error::Engine(said(code, kind).into()));
        assert_eq!(task.is_rejection(), door.is_rejection(), "{code}");
        task.is_rejection()
    }

    #[test]
    fn only_codes_about_documents_are_rejections() {
        let refusals: Vec<&str> =
            codes().filter(|(code, kind)| is_rejection(code, kind)).map(|(code, _)| code).collect();
        let own = [
            "invalid_document_geo_field",
            "invalid_document_id",
            "malformed_payload",
            "max_fields_limit_exceeded",
            "missing_document_id",
            "payload_too_large",
        ];
        assert_eq!(refusals, own);
        assert!(codes().count() > 80, "the table was not parsed");
    }

    #[test]
    fn engine_and_machine_failures_are_outages() {
        let known: Vec<(&str, &str)> = codes().collect();
        for (code, kind) in [
            ("no_space_left_on_device", "system"),
            ("io_error", "system"),
            ("unavailable", "system"),
            ("internal", "internal"),
            ("database_size_limit_reached", "internal"),
            ("invalid_store_file", "internal"),
            ("index_not_found", "invalid_request"),
            ("invalid_api_key", "auth"),
        ] {
            assert!(known.contains(&(code, kind)), "{code}");
            assert!(!is_rejection(code, kind), "{code}");
        }
        // Codes that only a Meilisearch server returns, and unknown ones.
        for (code, kind) in [("too_many_open_files", "system"), ("never_heard_of", "invalid_request")] {
            assert!(!is_rejection(code, kind), "{code}");
        }
    }

    #[test]
    fn http_errors_are_outages_except_payload_too_large() {
        let door = |status_code| {
            let error = MeilisearchCommunicationError { status_code, message: None, url: String::new() };
            Error::Engine(error.into()).is_rejection()
        };
        assert_eq!([429, 500, 502, 503, 504, 507].map(door), [false; 6]);
        assert!(door(413));
        assert!(!Error::Unfinished.is_rejection());
        assert!(!Error::Engine(SdkError::Timeout).is_rejection());
        assert!(!Error::Io(std::io::ErrorKind::StorageFull.into()).is_rejection());
        assert!(!Error::Sql(sqlx::Error::PoolTimedOut).is_rejection());
    }

    #[test]
    fn documents_map_to_their_objects() {
        assert_eq!(object(IndexName::Members, "12"), Some((Entity::User, 12)));
        assert_eq!(object(IndexName::Suggestions, "model-7"), Some((Entity::Model, 7)));
        assert_eq!(object(IndexName::Suggestions, "category-3"), Some((Entity::Category, 3)));
        assert_eq!(object(IndexName::Suggestions, "query-12"), None);
        assert_eq!(object(IndexName::Charts, "DE-7"), None);
        assert_eq!(object(IndexName::Captions, "42-en-subtitles-3"), Some((Entity::Video, 42)));
    }
}
