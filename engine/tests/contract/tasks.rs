//! Tasks: their shape, lists, cancelation and deletion.

use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::tasks::{Task, TaskType, TasksCancelQuery, TasksDeleteQuery, TasksSearchQuery};
use serde_json::json;

use crate::over_every_transport;
use crate::support::{Fixture, code};

over_every_transport!(tell_everything, are_listed, are_canceled, are_deleted);

async fn tell_everything(f: Fixture) {
    let info = f.client.create_index("a", Some("id")).await.unwrap();
    assert_eq!((info.status.as_str(), info.index_uid.as_deref(), info.get_task_uid()), ("enqueued", Some("a"), 0));
    match f.wait(info).await {
        Task::Succeeded { content } => {
            assert!(content.enqueued_at <= content.started_at && content.started_at <= content.finished_at);
            assert!(content.error.is_none() && content.canceled_by.is_none());
            match content.update_type {
                TaskType::IndexCreation { details: Some(details) } => {
                    assert_eq!(details.primary_key.as_deref(), Some("id"))
                }
                other => panic!("{other:?}"),
            }
        }
        other => panic!("{other:?}"),
    }
}

async fn are_listed(f: Fixture) {
    let (a, b) = (f.client.index("a"), f.client.index("b"));
    for id in 0..5 {
        f.done(a.add_documents(&[json!({ "id": id })], Some("id")).await).await;
    }
    f.done(b.add_documents(&[json!({ "id": 1 })], Some("id")).await).await;
    f.failed(
        b.delete_documents_with(meilisearch_sdk::documents::DocumentDeletionQuery::new(&b).with_filter("x = 1")).await,
    )
    .await;
    let uid = |task: &Task| task.get_uid();
    let all = f.client.get_tasks().await.unwrap();
    assert_eq!(all.results.iter().map(uid).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1, 0]);
    assert_eq!((all.total, all.limit, all.from, all.next), (7, 20, Some(6), None));
    let mut query = TasksSearchQuery::new(&f.client);
    let page = query.with_index_uids(["a"]).with_limit(2).with_from(3).execute().await.unwrap();
    assert_eq!(page.results.iter().map(uid).collect::<Vec<_>>(), [3, 2]);
    assert_eq!((page.total, page.from, page.next), (5, Some(3), Some(1)));
    let mut query = TasksSearchQuery::new(&f.client);
    let failed = query.with_statuses(["failed"]).with_types(["documentDeletion"]).execute().await.unwrap();
    assert_eq!(failed.results.iter().map(uid).collect::<Vec<_>>(), [6]);
    let mut query = TasksSearchQuery::new(&f.client);
    assert_eq!(code(query.with_statuses(["asleep"]).execute().await), ErrorCode::InvalidTaskStatuses);
}

/// Canceled tasks either ran before or left no trace; nothing is lost in between.
async fn are_canceled(f: Fixture) {
    let index = f.client.index("busy");
    let documents =
        |from: u32| (from..from + 400).map(|id| json!({ "id": id, "text": format!("words {id}") })).collect::<Vec<_>>();
    let mut tasks = Vec::new();
    for batch in 0..20 {
        tasks.push(index.add_documents(&documents(batch * 400), Some("id")).await.unwrap());
    }
    let mut query = TasksCancelQuery::new(&f.client);
    query.with_index_uids(["busy"]);
    f.done(f.client.cancel_tasks_with(&query).await).await;
    let mut indexed = 0;
    for task in tasks {
        // The SDK has no canceled state: only those that ran can be read as tasks.
        if f.client.get_task(task).await.is_ok_and(|task| task.is_success()) {
            indexed += 400;
        }
    }
    let stored = index.get_stats().await.map_or(0, |stats| stats.number_of_documents);
    assert_eq!(stored, indexed);
    let unfiltered = TasksCancelQuery::new(&f.client);
    assert_eq!(code(f.client.cancel_tasks_with(&unfiltered).await), ErrorCode::MissingTaskFilters);
}

async fn are_deleted(f: Fixture) {
    let first = f.client.create_index("a", None).await.unwrap();
    f.wait(first.clone()).await;
    for uid in ["b", "c"] {
        f.done(f.client.create_index(uid, None).await).await;
    }
    let mut query = TasksDeleteQuery::new(&f.client);
    query.with_index_uids(["a", "b"]);
    f.done(f.client.delete_tasks_with(&query).await).await;
    let left = f.client.get_tasks().await.unwrap();
    assert_eq!(left.results.iter().map(Task::get_uid).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(code(f.client.get_task(first).await), ErrorCode::TaskNotFound);
}
