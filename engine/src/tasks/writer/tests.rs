//! Tests that batches cut off between the commits of the index and the queue have the same outcome when they are applied again.

use std::path::Path;

use serde_json::{Value, json};

use super::super::queue::Caps;
use super::super::{Kind, Method, NewTask, view};
use super::*;
use crate::EngineOptions;
use crate::quarantine::Quarantine;

/// Builds the parts of an engine around its writer, without the threads.
fn open(folder: &Path) -> Writer {
    let mut options = EngineOptions::new(folder);
    (options.initial_map_size, options.max_readers) = (64 << 20, 16);
    let tasks = folder.join("tasks");
    std::fs::create_dir_all(&tasks).unwrap();
    let caps = Caps { waiting_tasks: 100, waiting_bytes: 1 << 20, history: 1000 };
    let queue = Arc::new(Queue::open(&tasks, 64 << 20, 16, caps).unwrap());
    let quarantine = Arc::new(Quarantine::new(folder.join("quarantine"), 1));
    let registry = Registry::open(&folder.join("indexes"), options.slots(), &queue, quarantine, true).unwrap();
    let registry = Arc::new(registry);
    Writer {
        queue,
        registry,
        indexer: Indexer::new(1, None, 0).unwrap(),
        limits: Limits { tasks: 100, documents: 100, bytes: 1 << 20 },
        compaction: Compaction { after: Duration::from_secs(60), min_free: 1 << 30 },
        suspect_pause: Duration::ZERO,
    }
}

fn close(writer: &Writer) {
    writer.registry.close();
    writer.queue.close();
}

fn task(kind: Kind, payload: Option<&str>) -> NewTask {
    NewTask { index_uid: Some("films".into()), kind, payload: payload.map(|text| text.to_owned().into()) }
}

fn add(documents: &'static str) -> NewTask {
    let method = Method::Replace;
    let received = documents.lines().count() as u64;
    task(Kind::DocumentAddition { method, primary_key: None, received, indexed: None }, Some(documents))
}

fn delete() -> NewTask {
    task(Kind::DocumentDeletion { provided: 1, deleted: None }, Some(r#"["1"]"#))
}

fn settings() -> NewTask {
    let changes = json!({ "filterableAttributes": ["n"] });
    task(Kind::Settings { changes, is_deletion: false }, None)
}

/// Applies the next batch without recording its outcome.
fn cut_off(writer: &Writer) -> Vec<Value> {
    let Work::Batch(running, tasks) = writer.queue.next_work(writer.limits, None) else { panic!("there is work") };
    let applied = writer.apply(&running, tasks).unwrap();
    applied.tasks.iter().map(shown_task).collect()
}

/// Returns the fields that don't depend on the clock.
fn shown_task(task: &Task) -> Value {
    let mut shown_task = view::full(task);
    for name in ["enqueuedAt", "startedAt", "finishedAt", "duration"] {
        shown_task.as_object_mut().unwrap().remove(name);
    }
    shown_task
}

/// Processes all waiting tasks and returns every task.
fn finish(writer: &Writer) -> Vec<Value> {
    while let Work::Batch(running, tasks) = writer.queue.next_work(writer.limits, Some(Duration::ZERO)) {
        writer.process(&running, tasks);
    }
    let now = writer.queue.read().unwrap();
    writer.queue.all(&now, true).unwrap().map(|task| shown_task(&task.unwrap())).collect()
}

/// Runs `before`, then `batch` with a crash in the middle. Returns the tasks of `batch`, which must be the same as without a crash.
fn killed(before: &[fn() -> NewTask], batch: &[fn() -> NewTask]) -> Vec<Value> {
    let run = |kill: bool| {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = open(folder.path());
        for new in before {
            writer.queue.accept(vec![new()]).remove(0).unwrap();
            finish(&writer);
        }
        writer.queue.accept(batch.iter().map(|new| new()).collect()).into_iter().for_each(|task| drop(task.unwrap()));
        if kill {
            let first = cut_off(&writer);
            close(&writer);
            writer = open(folder.path());
            assert_eq!(cut_off(&writer), first, "same outcome in the second run");
            close(&writer);
            writer = open(folder.path());
        }
        let tasks = finish(&writer).split_off(before.len());
        let folders = std::fs::read_dir(folder.path().join("indexes")).unwrap().count();
        assert_eq!(folders, writer.registry.list().len(), "no unnamed folder");
        close(&writer);
        tasks
    };
    let tasks = run(true);
    assert_eq!(tasks, run(false), "same outcome as without a crash");
    tasks
}

fn statuses(tasks: &[Value]) -> Vec<&str> {
    tasks.iter().map(|task| task["status"].as_str().unwrap()).collect()
}

#[test]
fn deletion_before_index_creation_in_one_batch_fails() {
    let tasks = killed(&[], &[delete, || add(r#"{"id":1}"#), delete]);
    assert_eq!(statuses(&tasks), ["failed", "succeeded", "succeeded"]);
    assert_eq!(tasks[0]["error"]["code"], "index_not_found");
}

#[test]
fn index_is_created_once() {
    let create = || task(Kind::IndexCreation { primary_key: Some("id".into()) }, None);
    assert_eq!(statuses(&killed(&[], &[create])), ["succeeded"]);
    assert_eq!(statuses(&killed(&[], &[settings, create])), ["succeeded", "failed"]);
}

#[test]
fn primary_key_is_inferred_from_the_same_document() {
    let unclear = || add(r#"{"id":1,"film_id":2}"#);
    let clear = || add(r#"{"id":3}"#);
    let nothing: &[fn() -> NewTask] = &[];
    for before in [nothing, &[settings]] {
        assert_eq!(statuses(&killed(before, &[unclear, clear])), ["failed", "succeeded"]);
    }
}

#[test]
fn deleted_documents_are_counted_once() {
    let documents = || add("{\"id\":1,\"n\":1}\n{\"id\":2,\"n\":2}\n{\"id\":3,\"n\":3}\n");
    let clear = || task(Kind::DocumentClear { deleted: None }, None);
    let below = || task(Kind::DocumentDeletionByFilter { filter: json!("n < 3"), deleted: None }, None);
    assert_eq!(killed(&[documents], &[clear])[0]["details"]["deletedDocuments"], 3);
    assert_eq!(killed(&[documents, settings], &[below])[0]["details"]["deletedDocuments"], 2);
    assert_eq!(statuses(&killed(&[documents], &[below])), ["failed"]);
    assert_eq!(statuses(&killed(&[], &[clear, clear])), ["failed", "failed"]);
}
