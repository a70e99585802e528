//! Writes as tasks: their data ([`Task`]), how they are accepted ([`intake`]), stored ([`queue`]), batched ([`batch`])
//! and applied ([`writer`]).

pub mod batch;
pub mod intake;
pub mod query;
pub mod queue;
pub mod view;
pub mod writer;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

use crate::http::error::ErrorBody;

/// Number of a task, assigned in order of acceptance.
pub type TaskId = u32;

/// An accepted write and its outcome. It is stored as JSON in the queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    pub uid: TaskId,
    pub batch_uid: Option<u32>,
    pub index_uid: Option<String>,
    pub status: Status,
    pub kind: Kind,
    pub error: Option<ErrorBody>,
    #[serde(with = "time::serde::rfc3339")]
    pub enqueued_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    pub started_at: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    pub finished_at: Option<OffsetDateTime>,
    /// Size of the payload in bytes. The payload is stored alongside the task until the task is finished.
    pub payload_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    Enqueued,
    Processing,
    Succeeded,
    Failed,
}

impl Status {
    /// The protocol's names of the statuses. In this engine, no task ever has the last one.
    pub const NAMES: [&'static str; 5] = ["enqueued", "processing", "succeeded", "failed", "canceled"];

    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns whether the task is finished.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// How added documents combine with existing ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// The new document replaces the old one.
    Replace,
    /// The new document's fields are merged into the old one.
    Update,
}

/// What a task does, with its counts once they are known.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Kind {
    /// Payload: the documents as concatenated JSON objects.
    DocumentAddition {
        method: Method,
        primary_key: Option<String>,
        received: u64,
        indexed: Option<u64>,
    },
    /// Payload: a JSON array of ids.
    DocumentDeletion {
        provided: u64,
        deleted: Option<u64>,
    },
    DocumentDeletionByFilter {
        filter: Value,
        deleted: Option<u64>,
    },
    DocumentClear {
        deleted: Option<u64>,
    },
    Settings {
        changes: Value,
        is_deletion: bool,
    },
    IndexCreation {
        primary_key: Option<String>,
    },
    IndexDeletion {
        deleted: Option<u64>,
    },
    IndexSwap {
        swaps: Vec<(String, String)>,
    },
    /// Sizes in bytes.
    IndexCompaction {
        before: Option<u64>,
        after: Option<u64>,
    },
}

impl Kind {
    pub const NAMES: [&'static str; 7] = [
        "documentAdditionOrUpdate",
        "documentDeletion",
        "settingsUpdate",
        "indexCreation",
        "indexDeletion",
        "indexSwap",
        "indexCompaction",
    ];

    /// Returns the protocol's name of the task type.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::DocumentAddition { .. } => Self::NAMES[0],
            Self::DocumentDeletion { .. } | Self::DocumentDeletionByFilter { .. } | Self::DocumentClear { .. } => {
                Self::NAMES[1]
            }
            Self::Settings { .. } => Self::NAMES[2],
            Self::IndexCreation { .. } => Self::NAMES[3],
            Self::IndexDeletion { .. } => Self::NAMES[4],
            Self::IndexSwap { .. } => Self::NAMES[5],
            Self::IndexCompaction { .. } => Self::NAMES[6],
        }
    }

    /// Returns the number of documents the task adds or deletes, for the caps of a batch.
    pub fn documents(&self) -> u64 {
        match self {
            Self::DocumentAddition { received, .. } => *received,
            Self::DocumentDeletion { provided, .. } => *provided,
            _ => 0,
        }
    }

    /// Sets the counts of a failed task to zero.
    pub fn zero_counts(&mut self) {
        match self {
            Self::DocumentAddition { indexed: count, .. }
            | Self::DocumentDeletion { deleted: count, .. }
            | Self::DocumentDeletionByFilter { deleted: count, .. }
            | Self::DocumentClear { deleted: count }
            | Self::IndexDeletion { deleted: count } => *count = Some(0),
            _ => {}
        }
    }
}

/// A write that is not yet accepted.
#[derive(Debug)]
pub struct NewTask {
    pub index_uid: Option<String>,
    pub kind: Kind,
    pub payload: Option<bytes::Bytes>,
}
