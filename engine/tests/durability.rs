//! What the engine promises beside the protocol: nothing acknowledged is lost, reads go on during writes, maps grow, one
//! process at a time, a full queue says so.

#![expect(clippy::unwrap_used, reason = "a test whose setting fails should stop")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lantern_engine::{Engine, EngineError, EngineOptions, SearchClient, Transport};
use meilisearch_sdk::client::SwapIndexes;
use meilisearch_sdk::errors::Error;
use meilisearch_sdk::indexes::Index;
use meilisearch_sdk::settings::Settings;
use meilisearch_sdk::task_info::TaskInfo;
use serde_json::{Value, json};

const QUICKLY: Option<Duration> = Some(Duration::from_millis(1));
const PATIENTLY: Option<Duration> = Some(Duration::from_secs(120));

fn options(path: &Path) -> EngineOptions {
    let mut options = EngineOptions::new(path);
    options.initial_map_size = 1 << 30;
    options.queue_map_size = 1 << 30;
    options
}

fn document(id: u64) -> Value {
    json!({
        "id": id, "title": format!("Evening number {id} in the old town"), "year": 1990 + id % 30,
        "tags": [format!("tag-{}", id % 97), format!("kind-{}", id % 7)], "viewed": id * 7919 % 100_003,
        "about": format!("A long walk past {} lanterns and {} bridges, told slowly", id % 113, id % 41),
    })
}

fn documents(ids: impl IntoIterator<Item = u64>) -> Vec<Value> {
    ids.into_iter().map(document).collect()
}

async fn succeed(client: &SearchClient, task: Result<TaskInfo, Error>) {
    let task = task.unwrap().wait_for_completion(client, QUICKLY, PATIENTLY).await.unwrap();
    assert!(task.is_success(), "{task:?}");
}

async fn prepared(client: &SearchClient, uid: &str, count: u64) -> Index<Transport> {
    let index = client.index(uid);
    succeed(client, client.create_index(uid, Some("id")).await).await;
    let settings = Settings::new()
        .with_filterable_attributes(["id", "year", "tags"])
        .with_sortable_attributes(["id", "viewed"])
        .with_searchable_attributes(["title", "about"]);
    succeed(client, index.set_settings(&settings).await).await;
    succeed(client, index.add_documents(&documents(0..count), None).await).await;
    index
}

async fn total(index: &Index<Transport>) -> usize {
    index.get_stats().await.unwrap().number_of_documents
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_tasks_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut accepted = 0;
    for round in 0..4_u64 {
        let engine = Engine::open(options(folder.path())).unwrap();
        let client = engine.client();
        let index = client.index("kept");
        for batch in 0..10 {
            let first = (round * 10 + batch) * 50;
            index.add_documents(&documents(first..first + 50), Some("id")).await.unwrap();
            accepted += 50;
        }
        // Closed with most of the queue still waiting, and with the client still around.
        engine.shutdown().await;
        let refused = index.add_documents(&documents(0..1), Some("id")).await;
        assert!(refused.unwrap_err().to_string().contains("shutting down"));
        assert!(index.get_stats().await.is_err());
    }
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = engine.client();
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
        let client = engine.client();
        prepared(&client, "a", 10).await;
        prepared(&client, "b", 20).await;
        prepared(&client, "gone", 5).await;
        let swap = SwapIndexes { indexes: ("a".into(), "b".into()), rename: None };
        succeed(&client, client.swap_indexes([&swap]).await).await;
        succeed(&client, client.delete_index("gone").await).await;
        engine.shutdown().await;
    }
    // What a crash in the middle of making an index leaves behind.
    std::fs::create_dir(folder.path().join("indexes").join("unfinished")).unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = engine.client();
    assert_eq!((total(&client.index("a")).await, total(&client.index("b")).await), (20, 10));
    assert!(client.get_index("gone").await.is_err());
    assert_eq!(std::fs::read_dir(folder.path().join("indexes")).unwrap().count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_map_grows() {
    let folder = tempfile::tempdir().unwrap();
    let mut small = options(folder.path());
    small.initial_map_size = 1 << 20;
    let engine = Engine::open(small).unwrap();
    let client = engine.client();
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

#[tokio::test(flavor = "multi_thread")]
async fn reads_go_on_during_writes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = engine.client();
    let index = prepared(&client, "busy", 5000).await;
    let writes = tokio::spawn({
        let (client, index) = (client.clone(), index.clone());
        async move {
            for batch in 0..5 {
                succeed(&client, index.add_documents(&documents(5000 + batch * 2000..7000 + batch * 2000), None).await)
                    .await;
            }
        }
    });
    let (mut searches, mut slowest, mut seen) = (0_u32, Duration::ZERO, BTreeSet::new());
    while !writes.is_finished() {
        let started = Instant::now();
        let found = index.search().with_filter("year = 2000").with_page(1).execute::<Value>().await.unwrap();
        slowest = slowest.max(started.elapsed());
        seen.insert(found.total_hits.unwrap());
        searches += 1;
    }
    writes.await.unwrap();
    assert_eq!(total(&index).await, 15_000);
    // Readers see whole batches only: each adds 66 or 67 documents of the year.
    assert!(seen.iter().all(|hits| (166..=500).contains(hits)), "{seen:?}");
    assert!(searches > 20 && slowest < Duration::from_secs(1), "{searches} searches, the slowest took {slowest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut narrow = options(folder.path());
    narrow.max_waiting_tasks = 3;
    let engine = Engine::open(narrow).unwrap();
    let client = engine.client();
    let index = client.index("narrow");
    let answers = futures_util::future::join_all((0..200).map(|id| {
        let index = index.clone();
        async move { index.add_documents(&documents(id..id + 1), Some("id")).await }
    }))
    .await;
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert!(!accepted.is_empty() && !refused.is_empty());
    for refusal in refused {
        assert!(refusal.unwrap_err().to_string().contains("the task queue is full"));
    }
    let count = accepted.len();
    for task in accepted {
        succeed(&client, task).await;
    }
    assert_eq!(total(&index).await, count);
}

#[tokio::test(flavor = "multi_thread")]
async fn history_is_pruned() {
    let folder = tempfile::tempdir().unwrap();
    let mut short = options(folder.path());
    short.max_task_history = 20;
    let engine = Engine::open(short).unwrap();
    let client = engine.client();
    let index = client.index("pruned");
    for id in 0..60 {
        succeed(&client, index.add_documents(&documents(id..id + 1), Some("id")).await).await;
    }
    let kept = client.get_tasks().await.unwrap();
    assert!((20..=23).contains(&kept.total), "{}", kept.total);
    assert_eq!(kept.results[0].get_uid(), 59);
}

/// Prints how long single writes take; the bound is generous because test machines are busy.
#[tokio::test(flavor = "multi_thread")]
async fn single_writes_are_quick() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = engine.client();
    let index = prepared(&client, "quick", 5000).await;
    let mut times = Vec::new();
    for id in 0..30 {
        let started = Instant::now();
        succeed(&client, index.add_documents(&documents(id * 3..id * 3 + 1), None).await).await;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    println!("one document into 5,000: median {:?}, slowest {:?}", times[15], times[29]);
    assert!(times[15] < Duration::from_millis(500), "{times:?}");

    let started = Instant::now();
    let mut last = None;
    for id in 0..1000 {
        last = Some(index.add_documents(&documents(10_000 + id..10_001 + id), None).await);
    }
    succeed(&client, last.unwrap()).await;
    let singly = started.elapsed();
    let started = Instant::now();
    succeed(&client, index.add_documents(&documents(20_000..21_000), None).await).await;
    println!("1,000 documents: one by one {singly:?}, together {:?}", started.elapsed());
    assert_eq!(total(&index).await, 7000);
}
