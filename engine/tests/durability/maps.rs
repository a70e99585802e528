//! Tests that an index's map grows automatically.

use lantern_engine::Engine;
use serde_json::{Value, json};

use crate::support::{Raw, connect, documents, options, prepared, succeed, total};

#[tokio::test(flavor = "multi_thread")]
async fn small_map_grows() {
    let folder = tempfile::tempdir().unwrap();
    let mut small = options(folder.path());
    small.initial_map_size = 1 << 20;
    let engine = Engine::open(small).unwrap();
    let client = connect(&engine);
    let index = prepared(&client, "growing", 100).await;
    for batch in 0..4 {
        succeed(&client, index.add_documents(&documents(batch * 3000..(batch + 1) * 3000), None).await).await;
    }
    assert_eq!(total(&index).await, 12_000);
    succeed(&client, index.set_searchable_attributes(["title", "about", "tags"]).await).await;
    let found = index.search().with_query("lanterns").with_limit(1).execute::<Value>().await.unwrap();
    assert_eq!(found.estimated_total_hits, Some(1000));
    let size = client.get_stats().await.unwrap().database_size;
    assert!(size > 4 << 20, "{size} bytes");
    engine.shutdown().await;
}

/// Opens an engine with a map size that an operator may have set.
fn open_with_16_mib(folder: &std::path::Path) -> Engine {
    let mut small = options(folder);
    small.initial_map_size = MAP as usize;
    Engine::open(small).unwrap()
}

const MAP: u64 = 16 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn documents_outgrow_16_mib_map() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open_with_16_mib(folder.path());
    let client = connect(&engine);
    let index = prepared(&client, "growing", 10).await;
    succeed(&client, index.add_documents(&documents(0..30_000), None).await).await;
    assert_eq!(total(&index).await, 30_000);
    let size = client.get_stats().await.unwrap().database_size;
    println!("30,000 documents at once: {size} bytes");
    assert!(size as u64 > 2 * MAP, "{size} bytes");
}

/// The documents leave half of the map free, and the settings need more than all of it in one transaction.
#[tokio::test(flavor = "multi_thread")]
async fn settings_outgrow_16_mib_map() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open_with_16_mib(folder.path());
    let (client, raw) = (connect(&engine), Raw::new(&engine));
    let size = async || raw.get("/stats").await["databaseSize"].as_u64().unwrap();
    let text = |id: u64| {
        (0..80)
            .map(|word| format!("word{} ", (id * 7919 + word * id * 31 + word * word * 17) % 49_999))
            .collect::<String>()
    };
    let wordy: Vec<Value> = (0..5200).map(|id| json!({ "id": id, "text": text(id) })).collect();
    raw.write("PATCH", "/indexes/wordy/settings", Some(&json!({ "searchableAttributes": ["id"] }))).await;
    let index = client.index("wordy");
    succeed(&client, index.add_documents(&wordy, Some("id")).await).await;
    let before = size().await;
    let task = raw.write("PATCH", "/indexes/wordy/settings", Some(&json!({ "searchableAttributes": ["text"] }))).await;
    assert_eq!(task["status"], "succeeded", "{task}");
    let after = size().await;
    println!("{before} bytes before the settings, {after} after");
    assert!(before < MAP / 2 + (4 << 20) && after > MAP + (4 << 20), "{before} to {after} bytes");
    let found = index.search().with_query("word0").with_limit(1).execute::<Value>().await.unwrap();
    assert_eq!(found.hits.len(), 1);
}
