//! Indexes, swaps, keys, health, and what isn't there.

use meilisearch_sdk::client::SwapIndexes;
use meilisearch_sdk::errors::{Error, ErrorCode};
use meilisearch_sdk::indexes::IndexesQuery;
use serde_json::{Value, json};

use crate::over_every_transport;
use crate::support::{Fixture, code};

over_every_transport!(lives, lists, swaps, guards, tells_about_itself, refuses_the_rest);

async fn lives(f: Fixture) {
    f.done(f.client.create_index("a", Some("key")).await).await;
    let index = f.client.get_index("a").await.unwrap();
    assert_eq!(index.primary_key.as_deref(), Some("key"));
    assert!(index.created_at.is_some() && index.updated_at >= index.created_at);
    assert_eq!(f.failed(f.client.create_index("a", None).await).await, ErrorCode::IndexAlreadyExists);
    let mut renamed = index.clone();
    renamed.primary_key = Some("id".into());
    f.done(renamed.update().await).await;
    assert_eq!(f.client.get_index("a").await.unwrap().primary_key.as_deref(), Some("id"));
    f.done(index.delete().await).await;
    assert_eq!(code(f.client.get_index("a").await), ErrorCode::IndexNotFound);
    assert_eq!(f.failed(f.client.delete_index("a").await).await, ErrorCode::IndexNotFound);
    assert_eq!(code(f.client.create_index("not good!", None).await), ErrorCode::InvalidIndexUid);
    // A deleted name is free again, and empty.
    f.done(f.client.create_index("a", None).await).await;
    assert_eq!(f.client.get_index("a").await.unwrap().primary_key, None);
}

async fn lists(f: Fixture) {
    for uid in ["c", "a", "b"] {
        f.done(f.client.create_index(uid, None).await).await;
    }
    let mut query = IndexesQuery::new(&f.client);
    let page = query.with_offset(1).with_limit(1).execute().await.unwrap();
    assert_eq!((page.total, page.offset, page.limit), (3, 1, 1));
    assert_eq!(page.results[0].uid, "b");
}

async fn swaps(f: Fixture) {
    let (a, b) = (f.client.index("a"), f.client.index("b"));
    f.done(a.add_documents(&[json!({ "id": 1, "from": "a" })], None).await).await;
    f.done(b.add_documents(&[json!({ "id": 1, "from": "b" }), json!({ "id": 2, "from": "b" })], None).await).await;
    let swap = SwapIndexes { indexes: ("a".into(), "b".into()), rename: None };
    f.done(f.client.swap_indexes([&swap]).await).await;
    assert_eq!(a.get_document::<Value>("1").await.unwrap()["from"], "b");
    assert_eq!(b.get_documents::<Value>().await.unwrap().total, 1);
    // Later writes find the index under its new name.
    f.done(b.add_documents(&[json!({ "id": 3, "from": "a" })], None).await).await;
    assert_eq!(b.get_documents::<Value>().await.unwrap().total, 2);
    let unknown = SwapIndexes { indexes: ("a".into(), "nowhere".into()), rename: None };
    assert_eq!(f.failed(f.client.swap_indexes([&unknown]).await).await, ErrorCode::IndexNotFound);
    let twice = f.client.swap_indexes([&swap, &swap]).await;
    assert_eq!(code(twice), ErrorCode::InvalidSwapDuplicateIndexFound);
}

async fn guards(f: Fixture) {
    f.films().await;
    let guest = f.client_with(None);
    assert!(guest.is_healthy().await);
    assert_eq!(code(guest.get_version().await), ErrorCode::MissingAuthorizationHeader);
    assert_eq!(code(guest.index("films").search().execute::<Value>().await), ErrorCode::MissingAuthorizationHeader);
    let stranger = f.client_with(Some("wrong"));
    assert_eq!(code(stranger.get_stats().await), ErrorCode::InvalidApiKey);
    let searcher = f.client_with(Some("a search key of a test"));
    assert_eq!(searcher.index("films").search().execute::<Value>().await.unwrap().hits.len(), 8);
    assert_eq!(searcher.index("films").facet_search("genres").execute().await.unwrap().facet_hits.len(), 5);
    assert_eq!(code(searcher.index("films").get_documents::<Value>().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(searcher.index("films").delete_all_documents().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(searcher.get_keys().await), ErrorCode::InvalidApiKey);
}

async fn tells_about_itself(f: Fixture) {
    f.films().await;
    assert_eq!(f.client.health().await.unwrap().status, "available");
    assert_eq!(f.client.get_version().await.unwrap().pkg_version, lantern_engine::PROTOCOL_VERSION);
    let stats = f.client.get_stats().await.unwrap();
    assert!(stats.database_size > 0 && stats.used_database_size <= stats.database_size && stats.last_update.is_some());
    let films = &stats.indexes["films"];
    assert_eq!((films.number_of_documents, films.is_indexing, films.field_distribution["title"]), (8, false, 8));
}

async fn refuses_the_rest(f: Fixture) {
    let refused = [
        f.client.get_keys().await.err(),
        f.client.get_batches().await.err(),
        f.client.create_dump().await.err(),
        f.client.create_snapshot().await.err(),
        f.client.index("films").get_embedders().await.err(),
    ];
    for error in refused {
        match error {
            Some(Error::Meilisearch(error)) => assert!(error.error_message.contains("isn't implemented"), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}
