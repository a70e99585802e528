//! Tests that reads continue during writes, and that the queue and the history are bounded.

use std::collections::BTreeSet;

use lantern_engine::Engine;
use serde_json::{Value, json};

use crate::support::{Raw, connect, documents, options, prepared, succeed, total};

#[tokio::test(flavor = "multi_thread")]
async fn reads_continue_during_writes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
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
    let raw = Raw::new(&engine);
    let write = async || raw.get("/tasks?statuses=processing&limit=1").await["results"][0]["uid"].as_u64();
    let (mut during, mut seen) = (0, BTreeSet::new());
    while !writes.is_finished() {
        let before = write().await;
        let found = index.search().with_filter("year = 2000").with_page(1).execute::<Value>().await.unwrap();
        seen.insert(found.total_hits.unwrap());
        during += u32::from(before.is_some() && write().await == before);
    }
    writes.await.unwrap();
    assert_eq!(total(&index).await, 15_000);
    // Readers see only whole batches. Each batch adds 66 or 67 documents of the year.
    assert!(seen.iter().all(|hits| (166..=500).contains(hits)), "{seen:?}");
    // A search that waited for a write would end after it.
    assert!(during > 20, "{during} searches began and ended during one write");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_queue_refuses_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let mut narrow = options(folder.path());
    narrow.max_waiting_tasks = 3;
    let engine = Engine::open(narrow).unwrap();
    let client = connect(&engine);
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
    let client = connect(&engine);
    let index = client.index("pruned");
    for id in 0..60 {
        succeed(&client, index.add_documents(&documents(id..id + 1), Some("id")).await).await;
    }
    let remaining = client.get_tasks().await.unwrap();
    assert!((20..=23).contains(&remaining.total), "{}", remaining.total);
    assert_eq!(remaining.results[0].get_uid(), 59);
}

/// The queue's map is a hard limit. Payloads beyond it are refused, and there is always room to finish waiting tasks.
#[tokio::test(flavor = "multi_thread")]
async fn full_queue_map_refuses_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let mut narrow = options(folder.path());
    narrow.queue_map_size = 8 << 20;
    let engine = Engine::open(narrow).unwrap();
    let raw = Raw::new(&engine);
    let settings = json!({ "searchableAttributes": ["title"] });
    raw.write("PATCH", "/indexes/narrow/settings", Some(&settings)).await;
    for round in 0..2 {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        // A reader that is paused midway can keep finished tasks from freeing space, so refused requests are retried.
        for _ in 0..100 {
            if !accepted.is_empty() {
                break;
            }
            let answers = futures_util::future::join_all((0..40).map(|id| {
                let raw = raw.clone();
                async move {
                    let document =
                        json!([{ "id": round * 40 + id, "title": "Wide", "about": "wide ".repeat(200_000) }]);
                    raw.call("POST", "/indexes/narrow/documents", Some(&document)).await
                }
            }))
            .await;
            (accepted, refused) = answers.into_iter().partition::<Vec<_>, _>(|(status, _)| *status == 202);
        }
        assert!(!accepted.is_empty() && !refused.is_empty(), "{} were accepted", accepted.len());
        for (status, error) in refused {
            assert_eq!((status, error["code"].as_str()), (422, Some("no_space_left_on_device")), "{error}");
        }
        for (_, summary) in accepted {
            let task = raw.finished(summary["taskUid"].as_u64().unwrap()).await;
            assert_eq!(task["status"], "succeeded", "{task}");
        }
    }
}
