//! Tests that no acknowledged write is lost when an engine closes, and that only one process can open the folder.

use lantern_engine::{Engine, EngineError};
use meilisearch_sdk::client::SwapIndexes;

use crate::support::{connect, documents, options, prepared, succeed, total};

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_tasks_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut accepted = 0;
    for round in 0..4_u64 {
        let engine = Engine::open(options(folder.path())).unwrap();
        let client = connect(&engine);
        let index = client.index("kept");
        for batch in 0..10 {
            let first = (round * 10 + batch) * 50;
            index.add_documents(&documents(first..first + 50), Some("id")).await.unwrap();
            accepted += 50;
        }
        // The engine is closed while most of the queue is waiting and the client still exists.
        engine.shutdown().await;
        let refused = index.add_documents(&documents(0..1), Some("id")).await;
        assert!(refused.unwrap_err().to_string().contains("shutting down"));
        assert!(index.get_stats().await.is_err());
    }
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    let index = client.index("kept");
    succeed(&client, index.add_documents(&documents(accepted..accepted + 1), Some("id")).await).await;
    assert_eq!(total(&index).await as u64, accepted + 1);
    assert_eq!(client.get_tasks().await.unwrap().total, 41);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    {
        let engine = Engine::open(options(folder.path())).unwrap();
        let client = connect(&engine);
        prepared(&client, "a", 10).await;
        prepared(&client, "b", 20).await;
        prepared(&client, "gone", 5).await;
        let swap = SwapIndexes { indexes: ("a".into(), "b".into()), rename: None };
        succeed(&client, client.swap_indexes([&swap]).await).await;
        succeed(&client, client.delete_index("gone").await).await;
        engine.shutdown().await;
    }
    // A crash while an index is being created leaves this behind.
    std::fs::create_dir(folder.path().join("indexes/7d3f3f0e-8f0b-4a3c-9d57-2f4dbb0a5c11")).unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    assert_eq!((total(&client.index("a")).await, total(&client.index("b")).await), (20, 10));
    assert!(client.get_index("gone").await.is_err());
    assert_eq!(std::fs::read_dir(folder.path().join("indexes")).unwrap().count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    match Engine::open(options(folder.path())) {
        Err(error @ EngineError::Locked(_)) => assert!(error.to_string().contains("in use by another process")),
        other => panic!("{:?}", other.err()),
    }
    drop(engine);
    Engine::open(options(folder.path())).unwrap();
}
