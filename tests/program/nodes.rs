//! Several nodes on one catalog. Hidden videos must disappear on every node, even if nodes are killed or paused.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_testing::TestDb;
use nix::sys::signal::Signal;
use sqlx::{AssertSqlSafe, PgPool};

use crate::node::Node;

/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(45);

/// Creates an empty database. The first node migrates it.
pub async fn database() -> TestDb {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql("drop schema public cascade; create schema public").execute(&db.pool).await.unwrap();
    db
}

/// Listed videos, a few of which are made private at a time.
struct Videos<'d> {
    pool: &'d PgPool,
    listed: std::vec::IntoIter<i64>,
    hidden: Vec<i64>,
}

impl<'d> Videos<'d> {
    /// Returns the videos that both nodes list.
    fn of(db: &'d TestDb, nodes: [&Node; 2]) -> Self {
        let [listed, others] = nodes.map(Node::listed);
        assert_eq!(others, listed);
        Self { pool: &db.pool, listed: listed.into_iter(), hidden: Vec::new() }
    }

    /// Makes the next four videos private, with one statement for each. Returns all videos that are private by now.
    async fn hide(&mut self) -> &[i64] {
        let part: Vec<i64> = self.listed.by_ref().take(4).collect();
        assert!(!part.is_empty(), "there are too few videos");
        for id in &part {
            sqlx::query("update videos set is_private = true where id = $1").bind(id).execute(self.pool).await.unwrap();
        }
        self.hidden.extend(part);
        &self.hidden
    }
}

/// Waits until the lease of a writer has expired.
async fn lease_expires(pool: &PgPool) {
    let until = Instant::now() + TIMEOUT;
    let expired = "select bool_or(writer_until < clock_timestamp()) from outbox_consumers";
    while !sqlx::query_scalar::<_, bool>(expired).fetch_one(pool).await.unwrap() {
        assert!(Instant::now() < until, "no lease expires");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Changes all documents.
async fn rename_all(pool: &PgPool) {
    sqlx::query("update videos set title = title || '!'").execute(pool).await.unwrap();
}

/// Makes an approved video wait for a time of publication, which comes in some seconds.
async fn schedule(pool: &PgPool, id: i64, seconds: f64) {
    for change in ["status_id = in_review()", "status_id = published(), publish_at = now() + make_interval(secs => $2)"]
    {
        let update = format!("update videos set {change} where id = $1 and $2::float8 > 0");
        sqlx::query(AssertSqlSafe(update)).bind(id).bind(seconds).execute(pool).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn scheduled_video_appears_on_every_node_also_if_none_runs_at_its_time() {
    let db = database().await;
    let mut a = Node::on(&db.url, &[]);
    let mut b = Node::on(&db.url, &[]);
    let listed = a.listed();
    let shown = async |id: i64, nodes: [&Node; 2]| {
        let until = Instant::now() + TIMEOUT;
        while !nodes.iter().all(|node| node.listed().contains(&id)) {
            assert!(Instant::now() < until, "{id} does not appear");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let early = "select count(*) from videos where id = $1 and (publish_at is not null or post_date > now())";
        assert_eq!(sqlx::query_scalar::<_, i64>(early).bind(id).fetch_one(&db.pool).await.unwrap(), 0);
    };

    // A time too far away to come during the test.
    schedule(&db.pool, listed[0], 3600.0).await;
    for node in [&a, &b] {
        node.forgets(&listed[..1], "it is scheduled");
    }
    schedule(&db.pool, listed[0], 5.0).await;
    shown(listed[0], [&a, &b]).await;

    // The moment passes while no node runs.
    schedule(&db.pool, listed[1], 3600.0).await;
    for node in [&a, &b] {
        node.forgets(&listed[1..2], "it is scheduled");
    }
    a.kill();
    b.kill();
    schedule(&db.pool, listed[1], 0.001).await;
    a.start();
    b.start();
    shown(listed[1], [&a, &b]).await;
    for node in [&a, &b] {
        node.verify();
    }
    a.end();
    b.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_with_own_engines_converge() {
    let db = database().await;
    let mut a = Node::on(&db.url, &[]);
    let mut b = Node::on(&db.url, &[]);
    let mut videos = Videos::of(&db, [&a, &b]);

    // Both nodes are running.
    let hidden = videos.hide().await;
    for node in [&a, &b] {
        node.forgets(hidden, "both nodes run");
    }

    // One node is killed while it is indexing, and catches up after its restart.
    rename_all(&db.pool).await;
    b.kill();
    let hidden = videos.hide().await;
    a.forgets(hidden, "the other one is killed");
    b.start();
    b.forgets(hidden, "started after a kill");

    // One node is paused for longer than a lease while both nodes have pending changes.
    rename_all(&db.pool).await;
    a.signal(Signal::SIGSTOP);
    let hidden = videos.hide().await;
    b.forgets(hidden, "the other one is paused");
    lease_expires(&db.pool).await;
    a.signal(Signal::SIGCONT);
    a.forgets(hidden, "after a pause");

    // Both nodes are killed while all changes are pending.
    rename_all(&db.pool).await;
    a.kill();
    b.kill();
    let hidden = videos.hide().await;
    a.start();
    b.start();
    for node in [&a, &b] {
        node.forgets(hidden, "both nodes were killed");
        node.verify();
    }
    let waiting: i64 = sqlx::query_scalar("select count(*) from outbox").fetch_one(&db.pool).await.unwrap();
    assert_eq!(waiting, 0);
    a.end();
    b.end();
}

/// Starts a search server that outlives the nodes. Returns the server and the settings with which nodes use it.
async fn server(folder: &Path) -> (Engine, Vec<(&'static str, String)>) {
    let engine = Engine::open(EngineOptions { initial_map_size: 64 << 20, ..EngineOptions::new(folder) }).unwrap();
    let keys = Keys::from_master("a master key of a test");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let settings = vec![("LANTERN__SEARCH__URL", url), ("LANTERN__SEARCH__KEY", keys.master.clone())];
    let router = engine.router(keys);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (engine, settings)
}

async fn epoch(pool: &PgPool) -> i64 {
    sqlx::query_scalar("select epoch from outbox_consumers").fetch_one(pool).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn writer_of_shared_search_server_fails_over() {
    let (db, folder) = (database().await, tempfile::tempdir().unwrap());
    let (engine, settings) = server(folder.path()).await;
    let (a, mut b) = (Node::on(&db.url, &settings), Node::on(&db.url, &settings));
    let mut videos = Videos::of(&db, [&a, &b]);

    let hidden = videos.hide().await;
    for node in [&a, &b] {
        node.forgets(hidden, "both nodes run");
    }

    // The writer is paused while it is indexing, and resumes after another node has written newer data.
    rename_all(&db.pool).await;
    let before = epoch(&db.pool).await;
    a.signal(Signal::SIGSTOP);
    let hidden = videos.hide().await;
    b.forgets(hidden, "the writer is paused");
    assert!(epoch(&db.pool).await > before, "no takeover");
    // From here on, the other node may take over again if this one is too slow to renew its lease.
    let before = epoch(&db.pool).await;
    a.signal(Signal::SIGCONT);
    a.forgets(hidden, "the writer of before is awake again");
    b.verify();

    // The writer is killed.
    rename_all(&db.pool).await;
    b.kill();
    let hidden = videos.hide().await;
    a.forgets(hidden, "the writer is killed");
    assert!(epoch(&db.pool).await > before, "no takeover");
    b.start();
    b.forgets(hidden, "started while another one writes");
    // The writer compares the indexes with the catalog when any node requests it.
    a.verify();
    b.verify();
    let waiting: i64 = sqlx::query_scalar("select count(*) from outbox").fetch_one(&db.pool).await.unwrap();
    assert_eq!(waiting, 0);
    // A clean stop releases the lease immediately.
    a.end();
    let hidden = videos.hide().await;
    b.forgets(hidden, "the writer ended");
    b.end();
    engine.shutdown().await;
}
