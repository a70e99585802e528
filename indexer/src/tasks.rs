//! Writing to the engine: submit, wait for the task, turn a failed task into an error.

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

/// Between two looks at a task. Short, because a change must be visible within a second of its commit.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// A settings change or a large batch may rebuild a whole index.
const GIVE_UP_AFTER: Duration = Duration::from_secs(3600);

/// Waits until the engine finished a task, if there is one.
pub async fn finished(client: &SearchClient, task: impl Into<Option<TaskInfo>>) -> Result<(), Error> {
    let Some(task) = task.into() else { return Ok(()) };
    match client.wait_for_task(task, Some(POLL_INTERVAL), Some(GIVE_UP_AFTER)).await? {
        Task::Succeeded { .. } => Ok(()),
        Task::Failed { content } => Err(Error::Task(Box::new(content.error))),
        Task::Enqueued { .. } | Task::Processing { .. } => Err(Error::Unfinished),
    }
}

/// Hands documents to be added or replaced to the engine. An empty list is no task.
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

/// Hands updates of some fields of existing documents to the engine. An empty list is no task.
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

/// Which of these documents an index has.
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

/// Hands ids of documents to be deleted to the engine; unknown ids are fine.
pub async fn delete(client: &SearchClient, uid: &str, ids: &[String]) -> Result<Option<TaskInfo>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    Ok(Some(client.index(uid).delete_documents(ids).await?))
}

/// Asks the engine to delete every document that a filter selects.
pub async fn delete_where(client: &SearchClient, uid: &str, filter: &str) -> Result<Option<TaskInfo>, Error> {
    let index = client.index(uid);
    let mut query = meilisearch_sdk::documents::DocumentDeletionQuery::new(&index);
    query.with_filter(filter);
    Ok(Some(index.delete_documents_with(&query).await?))
}

/// Has an index written anew into full pages, which take less than half of the disk. A server that can't, a key that may not ask for it
/// and a disk without room for a second one leave the index as it is.
pub async fn compact(client: &SearchClient, uid: &str) -> Result<(), Error> {
    let outcome = match client.index(uid).compact().await {
        Ok(task) => finished(client, task).await,
        Err(error) => Err(error.into()),
    };
    match outcome {
        Err(error) if is_left_alone(&error) => {
            tracing::info!(%error, uid, "an index stays larger than it could be");
            Ok(())
        }
        outcome => outcome,
    }
}

fn is_left_alone(error: &Error) -> bool {
    match error {
        Error::Task(_) => true,
        Error::Engine(SdkError::Meilisearch(error)) => error.error_code == ErrorCode::InvalidApiKey,
        Error::Engine(SdkError::MeilisearchCommunication(error)) => matches!(error.status_code, 404 | 405),
        _ => false,
    }
}
