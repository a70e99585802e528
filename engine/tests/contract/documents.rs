//! Adding, updating, reading and deleting documents.

use futures_util::io::Cursor;
use meilisearch_sdk::documents::{DocumentDeletionQuery, DocumentQuery, DocumentsQuery};
use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::tasks::{SucceededTask, Task, TaskType};
use serde_json::{Value, json};

use crate::over_every_transport;
use crate::support::{Fixture, code};

over_every_transport!(adds_and_updates, accepts_ndjson, reads, lists, deletes, reports_errors, bad_write_fails_alone);

fn details(task: Task) -> TaskType {
    match task {
        Task::Succeeded { content: SucceededTask { update_type, .. } } => update_type,
        other => panic!("{other:?}"),
    }
}

async fn adds_and_updates(f: Fixture) {
    let index = f.client.index("notes");
    let added =
        f.done(index.add_or_replace(&[json!({ "id": 1, "a": 1, "b": 2 }), json!({ "id": 2 })], None).await).await;
    match details(added) {
        TaskType::DocumentAdditionOrUpdate { details: Some(details) } => {
            assert_eq!((details.received_documents, details.indexed_documents), (2, Some(2)));
        }
        other => panic!("{other:?}"),
    }
    f.done(index.add_or_update(&[json!({ "id": 1, "b": 3 })], None).await).await;
    assert_eq!(index.get_document::<Value>("1").await.unwrap(), json!({ "id": 1, "a": 1, "b": 3 }));
    f.done(index.add_or_replace(&[json!({ "id": 1, "c": 4 })], None).await).await;
    assert_eq!(index.get_document::<Value>("1").await.unwrap(), json!({ "id": 1, "c": 4 }));
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 2);
    f.done(index.add_or_replace::<Value>(&[], None).await).await;
}

async fn accepts_ndjson(f: Fixture) {
    let index = f.client.index("lines");
    let lines = Cursor::new("{\"id\": 1, \"text\": \"one\"}\n{\"id\": 2, \"text\": \"two\"}\n");
    f.done(index.add_documents_ndjson(lines, Some("id")).await).await;
    f.done(index.update_documents_ndjson(Cursor::new("{\"id\": 2, \"more\": true}"), None).await).await;
    assert_eq!(index.get_document::<Value>("2").await.unwrap(), json!({ "id": 2, "text": "two", "more": true }));
    let csv = index.add_documents_csv(Cursor::new("id,text\n3,three"), None).await;
    assert_eq!(code(csv), ErrorCode::InvalidContentType);
    let broken = index.add_documents_ndjson(Cursor::new("{\"id\": 1"), None).await;
    assert_eq!(code(broken), ErrorCode::MalformedPayload);
    assert_eq!(code(index.add_documents_ndjson(Cursor::new(""), None).await), ErrorCode::MissingPayload);
}

async fn reads(f: Fixture) {
    let index = f.films().await;
    let mut query = DocumentQuery::new(&index);
    query.with_fields(["title", "labels.en.genres"]);
    let film: Value = query.execute("3").await.unwrap();
    assert_eq!(film, json!({ "title": "Morning Dance", "labels": { "en": { "genres": ["dance", "music"] } } }));
    assert_eq!(code(index.get_document::<Value>("99").await), ErrorCode::DocumentNotFound);
    assert_eq!(code(index.get_document::<Value>(&"x".repeat(600)).await), ErrorCode::DocumentNotFound);
    f.done(index.set_displayed_attributes(["id", "titles.de"]).await).await;
    assert_eq!(
        index.get_document::<Value>("3").await.unwrap(),
        json!({ "id": 3, "titles": { "de": "Tanz am Morgen" } })
    );
    let hit = &index.search().with_query("dance").execute::<Value>().await.unwrap().hits[0];
    assert_eq!(hit.result, json!({ "id": 3, "titles": { "de": "Tanz am Morgen" } }));
}

async fn lists(f: Fixture) {
    let index = f.films().await;
    let page =
        DocumentsQuery::new(&index).with_offset(2).with_limit(3).with_fields(["id"]).execute::<Value>().await.unwrap();
    assert_eq!(page.results, [json!({ "id": 3 }), json!({ "id": 4 }), json!({ "id": 5 })]);
    assert_eq!((page.offset, page.limit, page.total), (2, 3, 8));
    let some = DocumentsQuery::new(&index).with_filter("genres = dance OR id = 8").execute::<Value>().await.unwrap();
    assert_eq!(some.total, 2);
    let named = DocumentsQuery::new(&index).with_ids(["8", "1", "77"]).execute::<Value>().await.unwrap();
    assert_eq!((named.total, named.results[0]["id"].as_u64()), (2, Some(1)));
    let wrong = DocumentsQuery::new(&index).with_filter("title = x").execute::<Value>().await;
    assert_eq!(code(wrong), ErrorCode::InvalidDocumentFilter);
    let nowhere = f.client.index("nowhere");
    assert_eq!(code(nowhere.get_documents::<Value>().await), ErrorCode::IndexNotFound);
}

async fn deletes(f: Fixture) {
    let index = f.films().await;
    let total = async || index.get_documents::<Value>().await.unwrap().total;
    f.done(index.delete_document(1).await).await;
    let task = f.done(index.delete_documents(&[2, 3]).await).await;
    match details(task) {
        TaskType::DocumentDeletion { details: Some(details) } => {
            assert_eq!((details.provided_ids, details.deleted_documents), (Some(2), Some(2)));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(total().await, 5);
    let mut by_filter = DocumentDeletionQuery::new(&index);
    by_filter.with_filter("country = JP");
    f.done(index.delete_documents_with(&by_filter).await).await;
    assert_eq!(total().await, 3);
    let found = index.search().with_query("lanterns").execute::<Value>().await.unwrap();
    assert!(found.hits.is_empty());
    let mut wrong = DocumentDeletionQuery::new(&index);
    wrong.with_filter("title = x");
    assert_eq!(f.failed(index.delete_documents_with(&wrong).await).await, ErrorCode::InvalidDocumentFilter);
    f.done(index.delete_all_documents().await).await;
    assert_eq!(total().await, 0);
    let nowhere = f.client.index("nowhere");
    assert_eq!(f.failed(nowhere.delete_document(1).await).await, ErrorCode::IndexNotFound);
}

async fn reports_errors(f: Fixture) {
    let index = f.client.index("wrong");
    assert_eq!(
        f.failed(index.add_documents(&[json!({ "id": "no spaces" })], None).await).await,
        ErrorCode::InvalidDocumentId
    );
    let no_key = f.failed(index.add_documents(&[json!({ "title": "x" })], None).await).await;
    assert_eq!(no_key, ErrorCode::Unknown);
    f.done(index.add_documents(&[json!({ "id": 1 })], Some("id")).await).await;
    assert_eq!(f.failed(index.add_documents(&[json!({ "no": 1 })], None).await).await, ErrorCode::MissingDocumentId);
    assert_eq!(f.failed(index.add_documents(&[json!({ "sku": 1 })], Some("sku")).await).await, ErrorCode::Unknown);
    assert_eq!(code(index.add_documents(&[1, 2], None).await), ErrorCode::MalformedPayload);
    assert_eq!(code(f.client.index("no/such name").add_documents(&[json!({})], None).await), ErrorCode::Unknown);
}

/// If one write in a batch is bad, only that write fails.
async fn bad_write_fails_alone(f: Fixture) {
    let index = f.client.index("mixed");
    f.done(index.add_documents(&[json!({ "id": 0 })], Some("id")).await).await;
    let mut tasks = Vec::new();
    for id in 1..20 {
        let document = if id == 10 { json!({ "id": "not good!" }) } else { json!({ "id": id, "n": id }) };
        tasks.push(index.add_documents(&[document], None).await.unwrap());
    }
    for (i, task) in tasks.into_iter().enumerate() {
        let task = f.wait(task).await;
        assert_eq!(task.is_success(), i + 1 != 10, "{task:?}");
    }
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 19);
}
