//! Writes to the engine: submits tasks, waits for them, and converts failed ones to errors.

use std::{collections::HashSet, time::Duration};

use lantern_index::SearchClient;
use meilisearch_sdk::{
    documents::DocumentsQuery,
    errors::{Error as SdkError, ErrorCode},
    task_info::TaskInfo,
    tasks::Task,
};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Interval between polls of a task. It is short, because changes must be visible within a second of their commit.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Timeout of a task. It is long, because a settings change or a large batch may rebuild a whole index.
const TASK_TIMEOUT: Duration = Duration::from_secs(3600);

/// Waits until the engine has finished a task, if there is one.
pub async fn finished(client: &SearchClient, task: impl Into<Option<TaskInfo>>) -> Result<(), Error> {
    let Some(task) = task.into() else { return Ok(()) };
    match client.wait_for_task(task, Some(POLL_INTERVAL), Some(TASK_TIMEOUT)).await? {
        Task::Succeeded { .. } => Ok(()),
        Task::Failed { content } => Err(Error::Task(Box::new(content.error))),
        Task::Enqueued { .. } | Task::Processing { .. } => Err(Error::Unfinished),
    }
}

/// Submits documents to be added or replaced. Submits no task for an empty list.
pub async fn replace<T: Serialize + Send + Sync>(
    client: &SearchClient,
    uid: &str,
    documents: &[T],
) -> Result<Option<TaskInfo>, Error> {
    if documents.is_empty() {
        return Ok(None);
    }
    Ok(Some(client.index(uid).add_or_replace(documents, Some("id")).await?))
}

/// Submits partial updates of existing documents. Submits no task for an empty list.
pub async fn update<T: Serialize + Send + Sync>(
    client: &SearchClient,
    uid: &str,
    documents: &[T],
) -> Result<Option<TaskInfo>, Error> {
    if documents.is_empty() {
        return Ok(None);
    }
    Ok(Some(client.index(uid).add_or_update(documents, Some("id")).await?))
}

/// Returns which of these documents exist in an index.
pub async fn existing(client: &SearchClient, uid: &str, ids: impl Iterator<Item = i64>) -> Result<HashSet<i64>, Error> {
    #[derive(Deserialize)]
    struct Id {
        id: i64,
    }
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let index = client.index(uid);
    let mut query = DocumentsQuery::new(&index);
    query.with_ids(ids.iter().map(String::as_str)).with_fields(["id"]).with_limit(ids.len());
    Ok(index.get_documents_with::<Id>(&query).await?.results.into_iter().map(|document| document.id).collect())
}

/// Submits the ids of documents to delete. Unknown ids are ignored.
pub async fn delete(client: &SearchClient, uid: &str, ids: &[String]) -> Result<Option<TaskInfo>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    Ok(Some(client.index(uid).delete_documents(ids).await?))
}

/// Submits the deletion of all documents that match a filter.
pub async fn delete_where(client: &SearchClient, uid: &str, filter: &str) -> Result<Option<TaskInfo>, Error> {
    let index = client.index(uid);
    let mut query = meilisearch_sdk::documents::DocumentDeletionQuery::new(&index);
    query.with_filter(filter);
    Ok(Some(index.delete_documents_with(&query).await?))
}

/// Compacts an index into full pages, which take less than half as much disk space. If the server doesn't support this, the key lacks the
/// permission, or the disk has no room for a second copy, the index is left unchanged.
pub async fn compact(client: &SearchClient, uid: &str) -> Result<(), Error> {
    let outcome = match client.index(uid).compact().await {
        Ok(task) => finished(client, task).await,
        Err(error) => Err(error.into()),
    };
    match outcome {
        Err(error) if is_ignorable(&error) => {
            tracing::info!(%error, uid, "could not compact an index");
            Ok(())
        }
        outcome => outcome,
    }
}

fn is_ignorable(error: &Error) -> bool {
    match error {
        Error::Task(_) => true,
        Error::Engine(SdkError::Meilisearch(error)) => error.error_code == ErrorCode::InvalidApiKey,
        Error::Engine(SdkError::MeilisearchCommunication(error)) => matches!(error.status_code, 404 | 405),
        _ => false,
    }
}
