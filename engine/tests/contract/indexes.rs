//! Indexes, swaps, health, version and statistics.

use meilisearch_sdk::client::SwapIndexes;
use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::indexes::IndexesQuery;
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, code, keys};

contract!(creates_and_deletes, lists, swaps, reports_health_and_stats, members_are_in_order);

async fn creates_and_deletes(f: Fixture) {
    let uid = f.uid("a");
    f.done(f.client.create_index(&uid, Some("key")).await).await;
    let index = f.client.get_index(&uid).await.unwrap();
    assert_eq!(index.primary_key.as_deref(), Some("key"));
    assert!(index.created_at.is_some() && index.updated_at >= index.created_at);
    assert_eq!(f.failed(f.client.create_index(&uid, None).await).await, ErrorCode::IndexAlreadyExists);
    f.done(index.delete().await).await;
    assert_eq!(code(f.client.get_index(&uid).await), ErrorCode::IndexNotFound);
    assert_eq!(f.failed(f.client.delete_index(&uid).await).await, ErrorCode::IndexNotFound);
    // A deleted name can be reused, and the new index is empty.
    f.done(f.client.create_index(&uid, None).await).await;
    assert_eq!(f.client.get_index(&uid).await.unwrap().primary_key, None);
}

async fn lists(f: Fixture) {
    for name in ["c", "a", "b"] {
        f.done(f.client.create_index(f.uid(name), None).await).await;
    }
    let all = IndexesQuery::new(&f.client).with_limit(10_000).execute().await.unwrap();
    let own = [f.uid("a"), f.uid("b"), f.uid("c")];
    let found: Vec<String> = all.results.into_iter().map(|index| index.uid).filter(|uid| own.contains(uid)).collect();
    assert_eq!(found, own);
    let page = IndexesQuery::new(&f.client).with_offset(1).with_limit(1).execute().await.unwrap();
    assert_eq!((page.results.len(), page.offset, page.limit), (1, 1, 1));
    assert!(page.total >= 3);
}

async fn swaps(f: Fixture) {
    let (a, b) = (f.index("a"), f.index("b"));
    f.done(a.add_documents(&[json!({ "id": 1, "from": "a" })], None).await).await;
    f.done(b.add_documents(&[json!({ "id": 1, "from": "b" }), json!({ "id": 2, "from": "b" })], None).await).await;
    let swap = SwapIndexes { indexes: (f.uid("a"), f.uid("b")), rename: None };
    f.done(f.client.swap_indexes([&swap]).await).await;
    assert_eq!(a.get_document::<Value>("1").await.unwrap()["from"], "b");
    assert_eq!(b.get_documents::<Value>().await.unwrap().total, 1);
    // Later writes go to the index under its new name.
    f.done(b.add_documents(&[json!({ "id": 3, "from": "a" })], None).await).await;
    assert_eq!(b.get_documents::<Value>().await.unwrap().total, 2);
    let unknown = SwapIndexes { indexes: (f.uid("a"), f.uid("nowhere")), rename: None };
    assert_eq!(f.failed(f.client.swap_indexes([&unknown]).await).await, ErrorCode::IndexNotFound);
    let twice = f.client.swap_indexes([&swap, &swap]).await;
    assert_eq!(code(twice), ErrorCode::InvalidSwapDuplicateIndexFound);
    let body = json!([{ "indexes": [f.uid("a"), f.uid("b")] }]).to_string();
    let task = f.finished(&f.send("POST", "/swap-indexes", &body).await).await;
    assert_eq!((&task["type"], &task["indexUid"]), (&json!("indexSwap"), &Value::Null));
    assert_eq!(task["details"]["swaps"][0]["indexes"], json!([f.uid("a"), f.uid("b")]));
}

async fn reports_health_and_stats(f: Fixture) {
    f.films().await;
    assert_eq!(f.client.health().await.unwrap().status, "available");
    let version = f.call("GET", "/version").await.body;
    assert_eq!(keys(&version), ["commitSha", "commitDate", "pkgVersion"]);
    assert!(version["pkgVersion"].as_str().unwrap().starts_with("1."), "{version}");
    let stats = f.client.get_stats().await.unwrap();
    assert!(stats.database_size > 0 && stats.used_database_size <= stats.database_size && stats.last_update.is_some());
    let films = &stats.indexes[&f.uid("films")];
    assert_eq!((films.number_of_documents, films.field_distribution["title"]), (8, 8));
    let one = f.call("GET", &format!("/indexes/{}/stats", f.uid("films"))).await.body;
    assert_eq!((&one["numberOfDocuments"], &one["isIndexing"]), (&json!(8), &json!(false)));
    assert_eq!(one["fieldDistribution"]["about"], 8);
}

async fn members_are_in_order(f: Fixture) {
    let accepted = f.send("POST", "/indexes", &json!({ "uid": f.uid("a") }).to_string()).await;
    assert_eq!((accepted.status, accepted.body["status"].as_str()), (202, Some("enqueued")));
    assert_eq!(keys(&accepted.body), ["taskUid", "indexUid", "status", "type", "enqueuedAt"]);
    f.finished(&accepted).await;
    let index = f.call("GET", &format!("/indexes/{}", f.uid("a"))).await.body;
    assert_eq!(keys(&index), ["uid", "createdAt", "updatedAt", "primaryKey"]);
    let list = f.call("GET", "/indexes?limit=1").await.body;
    assert_eq!(keys(&list), ["results", "offset", "limit", "total"]);
    let stats = f.call("GET", "/stats").await.body;
    assert_eq!(keys(&stats)[..2], ["databaseSize", "usedDatabaseSize"]);
}
