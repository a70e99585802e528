//! Tests that if two processes compete to write one index, only the latest writer's state remains.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

use std::{path::Path, sync::Arc, time::Duration};

use axum::{extract::Request, http::Method, middleware::Next};
use lantern_catalog::queue;
use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_index::{IndexName, SearchClient, Transport};
use lantern_indexer::{
    Indexer, Readiness,
    requests::{Comparison, Work},
};
use lantern_testing::TestDb;
use meilisearch_sdk::tasks::TasksSearchQuery;
use sqlx::PgPool;
use tempfile::TempDir;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Returns the configuration. `shared` simulates a Meilisearch server, which has no lock that identifies the writer. Leases are long, so
/// that no heartbeat occurs during a test.
fn config(shared: bool) -> Arc<Config> {
    let mut config = Config::default();
    if shared {
        config.search.url = "http://127.0.0.1:9".to_owned();
    }
    config.sync.writer_lease = 3_600;
    config.sync.consumer_expires = 7_200;
    Arc::new(config)
}

/// Pauses a process before its next document reaches the engine. The process reports that it stopped and waits for permission to continue.
#[derive(Clone, Default)]
struct Gate(Arc<Mutex<Option<mpsc::Sender<oneshot::Sender<()>>>>>);

impl Gate {
    async fn shut(&self) -> mpsc::Receiver<oneshot::Sender<()>> {
        let (stopped, stops) = mpsc::channel(1);
        *self.0.lock().await = Some(stopped);
        stops
    }

    async fn pass(&self, request: Request, next: Next) -> axum::response::Response {
        let is_write = request.method() == Method::POST && request.uri().path() == "/indexes/videos/documents";
        if is_write && let Some(stopped) = self.0.lock().await.take() {
            let (go, gone) = oneshot::channel();
            stopped.send(go).await.unwrap();
            gone.await.unwrap();
        }
        next.run(request).await
    }
}

struct World {
    db: TestDb,
    engine: Engine,
    _folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = EngineOptions { initial_map_size: 64 << 20, ..EngineOptions::new(folder.path().join("index")) };
        let world =
            Self { db: TestDb::create().await.unwrap(), engine: Engine::open(options).unwrap(), _folder: folder };
        world
            .sql("insert into videos (dir, title, lang, gender, duration) values ('v', 'First', 'en', 'str', 60)")
            .await;
        world
    }

    async fn sql(&self, statement: &'static str) {
        sqlx::raw_sql(statement).execute(&self.db.pool).await.unwrap();
    }

    /// Simulates another process, with its own checkpoints in `folder`.
    fn process(&self, folder: &Path) -> (Indexer, Gate) {
        self.process_with(folder, &config(true))
    }

    fn process_with(&self, folder: &Path, config: &Arc<Config>) -> (Indexer, Gate) {
        let keys = Keys::from_master("a master key of a test");
        let master = keys.master.clone();
        let gate = Gate::default();
        let at = gate.clone();
        let door = self.engine.router(keys).layer(axum::middleware::from_fn(move |request: Request, next: Next| {
            let at = at.clone();
            async move { at.pass(request, next).await }
        }));
        let client: SearchClient = Transport::in_process(door, Some(&master));
        (Indexer::new(self.db.pool.clone(), client, Arc::clone(config), folder).unwrap(), gate)
    }

    fn client(&self) -> SearchClient {
        Transport::in_process(self.engine.trusted_router(), None)
    }

    /// Waits until the engine has processed everything it was sent.
    async fn settle(&self) {
        let client = self.client();
        let mut waiting = TasksSearchQuery::new(&client);
        waiting.with_statuses(["enqueued", "processing"]);
        while !client.get_tasks_with(&waiting).await.unwrap().results.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn title(&self) -> Option<String> {
        let document = self.client().index("videos").get_document::<serde_json::Value>("1").await.ok()?;
        Some(document["title"].as_str()?.to_owned())
    }
}

/// Expires the lease of the current writer.
async fn expire(pool: &PgPool) {
    sqlx::raw_sql("update outbox_consumers set writer_until = '-infinity'").execute(pool).await.unwrap();
}

#[tokio::test]
async fn write_under_lost_lease_is_redone_by_new_writer() {
    let world = World::new().await;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let ((a, gate), (b, _)) = (world.process(folders[0].path()), world.process(folders[1].path()));
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    assert!(matches!(a.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));
    // While a's lease is valid, b can read but not write.
    assert!(b.join().await.unwrap_err().is_superseded());
    assert!(matches!(b.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));

    // At this point, a has read the rows and checked its lease, and it is paused.
    world.sql("update videos set title = 'Second' where id = 1").await;
    let mut stops = gate.shut().await;
    let paused = tokio::spawn({
        let a = a.clone();
        async move { a.drain().await }
    });
    let go_on = stops.recv().await.unwrap();

    // Meanwhile the title changes again, and b takes over and writes it, without waiting for a's claims.
    world.sql("update videos set title = 'Third' where id = 1").await;
    expire(&world.db.pool).await;
    b.drain().await.unwrap();
    assert_eq!(world.title().await.as_deref(), Some("Third"));

    // When a resumes, its stale write overwrites the newer state, and a detects this.
    go_on.send(()).unwrap();
    assert!(paused.await.unwrap().unwrap_err().is_superseded());
    world.settle().await;
    assert_eq!(world.title().await.as_deref(), Some("Second"), "the pause was not at the critical point");
    b.drain().await.unwrap();
    assert_eq!(world.title().await.as_deref(), Some("Third"));
    assert!(a.drain().await.unwrap_err().is_superseded(), "a did not stand by");
    world.engine.shutdown().await;
}

#[tokio::test]
async fn superseded_writer_sends_nothing() {
    let world = World::new().await;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let ((a, _), (b, _)) = (world.process(folders[0].path()), world.process(folders[1].path()));
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    expire(&world.db.pool).await;
    b.drain().await.unwrap();
    let tasks = async || world.client().get_tasks().await.unwrap().results.len();
    let before = tasks().await;
    world.sql("update videos set title = 'Second' where id = 1; update video_stats set viewed = 7").await;
    assert!(a.drain().await.unwrap_err().is_superseded());
    assert!(a.transfer_counters().await.unwrap_err().is_superseded());
    assert!(a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap_err().is_superseded());
    assert_eq!(tasks().await, before);
    b.drain().await.unwrap();
    b.transfer_counters().await.unwrap();
    assert_eq!(world.title().await.as_deref(), Some("Second"));
    world.engine.shutdown().await;
}

#[tokio::test]
async fn requested_job_is_finished_by_the_new_writer() {
    let world = World::new().await;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let ((a, gate), (b, _)) = (world.process(folders[0].path()), world.process(folders[1].path()));
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    let stop = CancellationToken::new();
    let serve = |indexer: &Indexer| {
        let (indexer, stop) = (indexer.clone(), stop.clone());
        tokio::spawn(async move { indexer.serve_requests(stop).await })
    };

    // a is paused during a repair. Only a repair can find this title.
    world.sql("alter table videos disable trigger user; update videos set title = 'Second' where id = 1").await;
    let mut stops = gate.shut().await;
    let a_serves = serve(&a);
    let kind = Work::Verify.kind(&a.consumer().await.unwrap());
    let payload = serde_json::to_value(Comparison { repair: true, ..Comparison::default() }).unwrap();
    let mut conn = world.db.pool.acquire().await.unwrap();
    let id = queue::enqueue(&mut conn, &kind, &payload).await.unwrap();
    let go_on = stops.recv().await.unwrap();

    // b takes over, and a detects this.
    expire(&world.db.pool).await;
    b.drain().await.unwrap();
    let b_serves = serve(&b);
    go_on.send(()).unwrap();
    let job = loop {
        let job = queue::get(&mut conn, id).await.unwrap().unwrap();
        if !["queued", "running"].contains(&job.state.as_str()) {
            break job;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    assert_eq!((job.state.as_str(), job.last_error), ("done", None));
    assert_eq!(world.title().await.as_deref(), Some("Second"));
    stop.cancel();
    a_serves.await.unwrap();
    b_serves.await.unwrap();
    world.engine.shutdown().await;
}

#[tokio::test]
async fn dropped_index_registers_again_and_is_rebuilt() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (a, _) = world.process(folder.path());
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    let name = a.consumer().await;
    // After being dropped, the consumer misses a change, registers again and detects that it must rebuild.
    world.sql("delete from outbox_consumers; update videos set title = 'Second' where id = 1").await;
    assert!(a.drain().await.unwrap_err().is_superseded());
    assert!(matches!(a.readiness().await.unwrap(), Readiness::Outdated(_)));
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    assert_eq!((a.consumer().await, world.title().await.as_deref()), (name.clone(), Some("Second")));
    assert!(matches!(a.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));
    world.engine.shutdown().await;
}

#[tokio::test]
async fn copied_search_folder_becomes_a_new_consumer_and_is_rebuilt() {
    let world = World::new().await;
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let config = config(false);
    let (a, _) = world.process_with(folders[0].path(), &config);
    a.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    let name = a.consumer().await;
    drop(a);
    // Restarting with the same folder continues the same consumer.
    let (a, _) = world.process_with(folders[0].path(), &config);
    assert!(matches!(a.readiness().await.unwrap(), Readiness::Ready(plan) if plan.is_empty()));
    assert_eq!(a.consumer().await, name);
    // The copy finds a name that the original still uses.
    let (copy, _) = world.process_with(folders[1].path(), &config);
    assert!(matches!(copy.readiness().await.unwrap(), Readiness::Outdated(_)));
    assert_ne!(copy.consumer().await, name);
    world.engine.shutdown().await;
}
