//! Tests that manual and automatic compaction reclaim the free and half-empty pages that writes leave behind.

use std::time::Duration;

use lantern_engine::Engine;
use serde_json::{Value, json};

use crate::support::{Raw, connect, document, documents, options, prepared, succeed, total};

/// Returns the size of all files below a folder, in bytes.
fn size(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let size = |entry: std::fs::DirEntry| match entry.metadata().unwrap() {
        kind if kind.is_dir() => size(&entry.path()),
        file => file.len(),
    };
    entries.map(size).sum()
}

fn updated(id: u64, round: u64) -> Value {
    let mut document = document(id);
    document["title"] = json!(format!("Evening number {id} in the old town, telling {round}"));
    document["viewed"] = json!(id * round);
    document
}

/// Prints how 20 updates of every document affect the folder size. `LANTERN_COMPACTION_DOCUMENTS` sets the number of documents.
#[tokio::test(flavor = "multi_thread")]
async fn compaction_shrinks_the_folder() {
    let count = std::env::var("LANTERN_COMPACTION_DOCUMENTS").map_or(2000, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let indexes = folder.path().join("indexes");
    let engine = Engine::open(options(folder.path())).unwrap();
    let (client, raw) = (connect(&engine), Raw::new(&engine));
    let index = prepared(&client, "updated", count).await;
    let fresh = size(&indexes);
    for round in 1..=20 {
        let all: Vec<Value> = (0..count).map(|id| updated(id, round)).collect();
        succeed(&client, index.add_documents(&all, None).await).await;
    }
    let grown = size(&indexes);
    let reading = tokio::spawn({
        let index = index.clone();
        async move {
            // Until the task is aborted, every search must succeed.
            loop {
                let found = index.search().with_query("telling 20").with_page(1).execute::<Value>().await.unwrap();
                assert_eq!(found.total_hits, Some(usize::try_from(count).unwrap().min(1000)));
            }
        }
    });
    let task = raw.write("POST", "/indexes/updated/compact", None).await;
    reading.abort();
    assert!(reading.await.unwrap_err().is_cancelled(), "a search failed during the compaction");
    assert_eq!(
        (task["status"].as_str(), task["type"].as_str()),
        (Some("succeeded"), Some("indexCompaction")),
        "{task}"
    );
    // The previous folder is removed once its last reader has finished. Only closing waits for this, not the task.
    engine.shutdown().await;
    let compacted = size(&indexes);
    println!(
        "{count} documents: fresh {fresh} bytes, updated 20 times {grown}, compacted {compacted}; {}",
        task["details"]
    );
    assert!(compacted < fresh && task["details"]["preCompactionSize"].as_str().unwrap().ends_with("iB"), "{task}");
    assert_eq!(std::fs::read_dir(&indexes).unwrap().count(), 1);

    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    let index = client.index("updated");
    succeed(&client, index.add_documents(&documents(count..count + 10), None).await).await;
    assert_eq!(total(&index).await as u64, count + 10);
    let (status, error) = Raw::new(&engine).call("POST", "/indexes/missing/compact", None).await;
    assert_eq!((status, error["code"].as_str()), (404, Some("index_not_found")));
}

#[tokio::test(flavor = "multi_thread")]
async fn bloated_index_is_compacted_when_idle() {
    let folder = tempfile::tempdir().unwrap();
    let mut eager = options(folder.path());
    eager.compact_after = Duration::from_millis(50);
    eager.compact_min_free = 1 << 20;
    let engine = Engine::open(eager).unwrap();
    let (client, raw) = (connect(&engine), Raw::new(&engine));
    let index = prepared(&client, "emptied", 4000).await;
    succeed(&client, index.delete_documents(&(0..3900).collect::<Vec<u64>>()).await).await;
    let mut polls = tokio::time::interval(Duration::from_millis(5));
    let compacted = async {
        loop {
            polls.tick().await;
            let tasks = raw.get("/tasks?types=indexCompaction&statuses=succeeded").await;
            if tasks["total"] == 1 {
                return tasks["results"][0].clone();
            }
        }
    };
    let task = tokio::time::timeout(Duration::from_secs(60), compacted).await.unwrap();
    println!("at rest: {}", task["details"]);
    assert_eq!((task["indexUid"].as_str(), total(&index).await), (Some("emptied"), 100));
    // As above: the task is recorded before the previous folder is removed.
    engine.shutdown().await;
    assert!(size(&folder.path().join("indexes")) < 4 << 20);
}
