//! Tests that waiting writes are batched. Their speed is measured by `lantern bench`.

use std::collections::BTreeSet;

use lantern_engine::Engine;

use crate::support::{Raw, connect, documents, options, prepared, succeed, total};

#[tokio::test(flavor = "multi_thread")]
async fn waiting_writes_are_batched() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    let index = prepared(&client, "quick", 5000).await;
    let mut last = None;
    for id in 0..1000 {
        last = Some(index.add_documents(&documents(10_000 + id..10_001 + id), None).await);
    }
    succeed(&client, last.unwrap()).await;
    assert_eq!(total(&index).await, 6000);
    let tasks = Raw::new(&engine).get("/tasks?statuses=succeeded&limit=1000").await;
    let tasks = tasks["results"].as_array().unwrap();
    let batches: BTreeSet<u64> = tasks.iter().map(|task| task["batchUid"].as_u64().unwrap()).collect();
    println!("{} writes in {} batches", tasks.len(), batches.len());
    assert!(tasks.len() == 1000 && batches.len() < 500, "{} writes in {} batches", tasks.len(), batches.len());
}
