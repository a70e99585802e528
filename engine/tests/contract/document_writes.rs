//! Adding, updating and deleting documents.

use futures_util::io::Cursor;
use meilisearch_sdk::documents::DocumentDeletionQuery;
use meilisearch_sdk::errors::ErrorCode;
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, code};

contract!(adds_and_updates, accepts_ndjson, deletes, infers_the_key, reports_errors, bad_write_fails_alone);

async fn adds_and_updates(f: Fixture) {
    let index = f.index("notes");
    let documents = format!("/indexes/{}/documents", index.uid);
    let added = f.send("POST", &documents, r#"[{"id": 1, "a": 1, "b": 2}, {"id": 2}]"#).await;
    let task = f.finished(&added).await;
    assert_eq!(task["details"], json!({ "receivedDocuments": 2, "indexedDocuments": 2 }));
    f.done(index.add_or_update(&[json!({ "id": 1, "b": 3 })], None).await).await;
    assert_eq!(index.get_document::<Value>("1").await.unwrap(), json!({ "id": 1, "a": 1, "b": 3 }));
    f.done(index.add_or_replace(&[json!({ "id": 1, "c": 4 })], None).await).await;
    assert_eq!(index.get_document::<Value>("1").await.unwrap(), json!({ "id": 1, "c": 4 }));
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 2);
    f.done(index.add_or_replace::<Value>(&[], None).await).await;
    let single = f.send("PUT", &documents, r#"{"id": 2, "alone": true}"#).await;
    assert_eq!(f.finished(&single).await["details"], json!({ "receivedDocuments": 1, "indexedDocuments": 1 }));
    assert_eq!(index.get_document::<Value>("2").await.unwrap(), json!({ "id": 2, "alone": true }));
}

async fn accepts_ndjson(f: Fixture) {
    let index = f.index("lines");
    let lines = Cursor::new("{\"id\": 1, \"text\": \"one\"}\n{\"id\": 2, \"text\": \"two\"}\n");
    f.done(index.add_documents_ndjson(lines, Some("id")).await).await;
    f.done(index.update_documents_ndjson(Cursor::new("{\"id\": 2, \"more\": true}"), None).await).await;
    assert_eq!(index.get_document::<Value>("2").await.unwrap(), json!({ "id": 2, "text": "two", "more": true }));
    let broken = index.add_documents_ndjson(Cursor::new("{\"id\": 1"), None).await;
    assert_eq!(code(broken), ErrorCode::MalformedPayload);
    assert_eq!(code(index.add_documents_ndjson(Cursor::new(""), None).await), ErrorCode::MissingPayload);
}

async fn deletes(f: Fixture) {
    let index = f.films().await;
    let path = format!("/indexes/{}/documents", index.uid);
    let total = async || index.get_documents::<Value>().await.unwrap().total;
    let one = f.finished(&f.call("DELETE", &format!("{path}/1")).await).await;
    assert_eq!(one["type"], "documentDeletion");
    assert_eq!(one["details"], json!({ "providedIds": 1, "deletedDocuments": 1, "originalFilter": null }));
    let batch = f.finished(&f.send("POST", &format!("{path}/delete-batch"), r#"[2, "3", 77]"#).await).await;
    // The protocol counts the requested ids, including unknown ones.
    assert_eq!(batch["details"], json!({ "providedIds": 3, "deletedDocuments": 3, "originalFilter": null }));
    assert_eq!(total().await, 5);
    let filtered = f.send("POST", &format!("{path}/delete"), r#"{"filter": "country = JP"}"#).await;
    let details = json!({ "providedIds": 0, "deletedDocuments": 2, "originalFilter": "\"country = JP\"" });
    assert_eq!(f.finished(&filtered).await["details"], details);
    assert_eq!(total().await, 3);
    let found = index.search().with_query("lanterns").execute::<Value>().await.unwrap();
    assert!(found.hits.is_empty());
    let mut wrong = DocumentDeletionQuery::new(&index);
    wrong.with_filter("title = x");
    assert_eq!(f.failed(index.delete_documents_with(&wrong).await).await, ErrorCode::InvalidDocumentFilter);
    let all = f.finished(&f.call("DELETE", &path).await).await;
    assert_eq!(all["details"]["deletedDocuments"], 3);
    assert_eq!(total().await, 0);
    assert_eq!(f.failed(f.index("nowhere").delete_document(1).await).await, ErrorCode::IndexNotFound);
}

async fn infers_the_key(f: Fixture) {
    let index = f.index("inferred");
    f.done(index.add_documents(&[json!({ "name": "x", "bookId": "b-1_X" })], None).await).await;
    assert_eq!(f.client.get_index(&index.uid).await.unwrap().primary_key.as_deref(), Some("bookId"));
    assert_eq!(index.get_document::<Value>("b-1_X").await.unwrap()["name"], "x");
    let cases = [
        (r#"[{"title": "x"}]"#, "index_primary_key_no_candidate_found"),
        (r#"[{"oneId": 1, "twoid": 2}]"#, "index_primary_key_multiple_candidates_found"),
    ];
    for (body, code) in cases {
        let task = f.finished(&f.send("POST", &format!("/indexes/{}/documents", f.uid(&code[..30])), body).await).await;
        assert_eq!((&task["status"], &task["error"]["code"]), (&json!("failed"), &json!(code)), "{task}");
    }
}

async fn reports_errors(f: Fixture) {
    let index = f.index("wrong");
    f.done(index.add_documents(&[json!({ "id": 1 })], Some("id")).await).await;
    let path = format!("/indexes/{}/documents", index.uid);
    let failed = async |path: String, body: &str| f.finished(&f.send("POST", &path, body).await).await;
    let long = format!(r#"[{{"id": "{}"}}]"#, "x".repeat(512));
    for id in [r#"[{"id": "no spaces"}]"#, r#"[{"id": "é"}]"#, r#"[{"id": 1.5}]"#, r#"[{"id": ""}]"#, &long] {
        let task = failed(path.clone(), id).await;
        assert_eq!(task["error"]["code"], "invalid_document_id", "{task}");
        assert_eq!(task["details"], json!({ "receivedDocuments": 1, "indexedDocuments": 0 }));
    }
    let task = failed(path.clone(), r#"[{"no": 1}]"#).await;
    assert_eq!(task["error"]["code"], "missing_document_id", "{task}");
    let task = failed(format!("{path}?primaryKey=sku"), r#"[{"sku": 1}]"#).await;
    assert_eq!(task["error"]["code"], "index_primary_key_already_exists", "{task}");
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 1);
}

/// If one write in a batch is bad, only that write fails.
async fn bad_write_fails_alone(f: Fixture) {
    let index = f.index("mixed");
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
