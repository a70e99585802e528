//! Tests that after an index is damaged, removed, replaced or restored, the other indexes continue to work, only missing ones are rebuilt,
//! and no stale consumer accumulates outbox rows.

use std::{path::Path, sync::Arc};

use lantern_catalog::consumers;
use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions};
use lantern_index::{IndexName, Transport};
use lantern_indexer::{Indexer, Readiness};
use lantern_testing::TestDb;
use tempfile::TempDir;

use crate::support::{App, Insert};

#[tokio::test]
async fn only_the_lost_index_is_rebuilt_while_others_stay_in_sync() {
    let app = App::start().await;
    let (category, model) = (app.category("travel", "Travel").await, app.model("yuki-mori", "Yuki Mori").await);
    let first = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    assert!(matches!(app.indexer.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));

    let task = app.client.delete_index("videos").await.unwrap();
    task.wait_for_completion(&app.client, None, None).await.unwrap();
    let Readiness::Ready(plan) = app.indexer.readiness().await.unwrap() else {
        panic!("the others should be readable")
    };
    assert_eq!((&plan.rebuild, &plan.absent), (&vec![IndexName::Videos], &vec![IndexName::Videos]));
    assert!(plan.describe().unwrap().contains("videos (the others are served meanwhile)"));

    // After changes to videos, other objects and counters, existing indexes are updated and no incomplete index is created.
    let second = app.video(Insert { title: "Mountain lights", category, model }).await;
    app.sql(&format!("update models set title = 'Hana Sato' where id = {model}")).await;
    app.sql(&format!("update video_stats set viewed = 5 where video_id = {first}")).await;
    app.indexer.drain().await.unwrap();
    app.indexer.transfer_counters().await.unwrap();
    app.indexer.refresh_charts().await.unwrap();
    assert_eq!(app.ids("models", "hana").await, [model.to_string()]);
    assert!(app.client.get_stats().await.unwrap().indexes.keys().all(|uid| uid != "videos"));
    let untouched = app.writes(IndexName::Albums).await;

    app.indexer.rebuild(&plan.rebuild, &|_| {}).await.unwrap();
    assert_eq!(app.ids("videos", "lights").await, [first.to_string(), second.to_string()]);
    assert_eq!(app.writes(IndexName::Albums).await, untouched, "albums were rebuilt");
    assert!(matches!(app.indexer.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));
    assert_eq!(app.indexer.damaged().await.unwrap(), []);
    app.finish().await;
}

#[tokio::test]
async fn settings_without_effect_on_documents_are_updated_in_place() {
    let app = App::start().await;
    let (category, model) = (app.category("travel", "Travel").await, app.model("yuki-mori", "Yuki Mori").await);
    app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    let documents = app.writes(IndexName::Videos).await;

    let mut config = app.config();
    config.listing.max_facet_values += 11;
    let wanted = config.listing.max_facet_values;
    let indexer = app.indexer.with_config(Arc::new(config));
    let Readiness::Ready(plan) = indexer.readiness().await.unwrap() else { panic!("the indexes should be readable") };
    assert_eq!((plan.rebuild.len(), plan.tune.len()), (0, IndexName::ALL.len()));
    indexer.tune(&plan.tune).await.unwrap();
    for index in IndexName::ALL {
        let faceting = app.client.index(index.uid()).get_faceting().await.unwrap();
        assert_eq!(faceting.max_values_per_facet, wanted, "{}", index.uid());
    }
    assert_eq!(app.writes(IndexName::Videos).await, documents + 1, "expected a single settings task");
    assert!(matches!(indexer.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));
    app.indexer.drain().await.unwrap();
    app.finish().await;
}

/// Data folder with an embedded engine that can be started and stopped.
struct Node {
    db: TestDb,
    folder: TempDir,
}

impl Node {
    async fn new() -> Self {
        Self { db: TestDb::create().await.unwrap(), folder: tempfile::tempdir().unwrap() }
    }

    fn index(&self) -> std::path::PathBuf {
        self.folder.path().join("index")
    }

    /// Simulates a run: joins, rebuilds if needed, and returns whether a rebuild was needed. The run ends like a crash unless `stops` is
    /// true.
    async fn run(&self, stops: bool) -> bool {
        let options = EngineOptions { initial_map_size: 64 << 20, ..EngineOptions::new(self.index()) };
        let engine = Engine::open(options).unwrap();
        let client = Transport::in_process(engine.trusted_router(), None);
        let (config, sled) = (Arc::new(Config::default()), self.folder.path().join("sled"));
        let indexer = Indexer::new(self.db.pool.clone(), client, config, &sled).unwrap();
        let is_outdated = indexer.needs_rebuild().await.unwrap();
        if is_outdated {
            indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
        }
        indexer.drain().await.unwrap();
        indexer.retire_former().await.unwrap();
        if stops {
            indexer.resign().await.unwrap();
        }
        engine.shutdown().await;
        is_outdated
    }

    async fn consumers(&self) -> Vec<String> {
        let nodes = consumers::list(&mut self.db.pool.acquire().await.unwrap()).await.unwrap();
        nodes.into_iter().map(|node| node.name).collect()
    }

    async fn sql(&self, statement: &'static str) {
        sqlx::raw_sql(statement).execute(&self.db.pool).await.unwrap();
    }
}

/// Extends the previous lease beyond the duration of any test.
const LIVES: &str = "update outbox_consumers set writer_until = clock_timestamp() + interval '1 hour'";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

#[tokio::test]
async fn folder_that_lost_its_index_leaves_no_stale_consumer() {
    let node = Node::new().await;
    assert!(node.run(true).await);
    let first = node.consumers().await;
    assert!(!node.run(true).await, "the same folder needs no rebuild");
    assert_eq!(node.consumers().await, first);

    std::fs::remove_dir_all(node.index()).unwrap();
    assert!(node.run(true).await);
    let second = node.consumers().await;
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
}

#[tokio::test]
async fn restored_index_is_rebuilt_and_leaves_no_stale_consumer() {
    let node = Node::new().await;
    node.run(true).await;
    let first = node.consumers().await;
    copy(&node.index(), &node.folder.path().join("copy"));
    // This change is only in the index that is about to be lost.
    node.sql("insert into videos (dir, title, lang, gender, duration) values ('v', 'First', 'en', 'str', 60)").await;
    assert!(!node.run(true).await);
    std::fs::remove_dir_all(node.index()).unwrap();
    copy(&node.folder.path().join("copy"), &node.index());
    assert!(node.run(true).await, "the copy lacks a change that is no longer in the outbox");
    let second = node.consumers().await;
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
    assert!(!node.run(true).await);
}

#[tokio::test]
async fn after_a_crash_the_stale_consumer_is_retired_with_its_lease() {
    let node = Node::new().await;
    node.run(false).await;
    let first = node.consumers().await;
    node.sql(LIVES).await;
    std::fs::remove_dir_all(node.index()).unwrap();
    // The lease of the crashed process is still valid, so it may be alive elsewhere.
    node.run(true).await;
    assert_eq!(node.consumers().await.len(), 2);
    node.sql("update outbox_consumers set writer_until = '-infinity'").await;
    node.run(true).await;
    let left = node.consumers().await;
    assert!(left.len() == 1 && left != first, "{first:?} {left:?}");
}

#[tokio::test]
async fn consumer_alive_elsewhere_is_not_retired() {
    let node = Node::new().await;
    node.run(false).await;
    let first = node.consumers().await;
    node.sql(LIVES).await;
    std::fs::remove_dir_all(node.index()).unwrap();
    node.run(true).await;
    // The other consumer sends a heartbeat, so this folder was a copy of a live one.
    node.sql("update outbox_consumers set heard_at = clock_timestamp() where writer_until > clock_timestamp()").await;
    node.run(true).await;
    node.sql("update outbox_consumers set writer_until = '-infinity'").await;
    node.run(true).await;
    assert!(node.consumers().await.contains(&first[0]));
}
