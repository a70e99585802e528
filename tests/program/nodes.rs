//! Several nodes on one catalog: what is hidden is hidden on each of them, whatever is killed or paused meanwhile.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_testing::TestDb;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sqlx::PgPool;
use tempfile::TempDir;

use crate::{lantern, stop};

/// Seconds of silence after which a writer is taken over from, in these tests.
const LEASE: u64 = 1;
/// Longer than that.
const PAUSE: Duration = Duration::from_millis(2500);
/// What must have happened by now will not happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// One Lantern: its data folder stays when the process goes.
struct Node {
    folder: TempDir,
    /// What it says, in no folder of its own: a start as root takes over only what is Lantern's.
    log: tempfile::NamedTempFile,
    settings: Vec<(&'static str, String)>,
    child: Option<Child>,
    port: u16,
}

impl Node {
    fn on(database: &str, more: &[(&'static str, String)]) -> Self {
        let mut settings =
            vec![("LANTERN__DATABASE__URL", database.to_owned()), ("LANTERN__SYNC__WRITER_LEASE", LEASE.to_string())];
        settings.extend_from_slice(more);
        let (folder, log) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
        let mut node = Self { folder, log, settings, child: None, port: 0 };
        node.start();
        node
    }

    fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = lantern(self.folder.path());
        command.envs(self.settings.iter().map(|(name, value)| (name, value))).args(words);
        command
    }

    fn start(&mut self) {
        let log = File::options().append(true).open(self.log.path()).unwrap();
        let mut child = self
            .command(&["up", "--port", "0", "--seed-videos", "40"])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            line.unwrap().strip_prefix("Lantern is ready at http://127.0.0.1:")?.split('/').next()?.parse().ok()
        });
        let Some(port) = port else { panic!("it ended before it was ready: {}", self.said()) };
        std::thread::spawn(move || lines.for_each(drop));
        (self.child, self.port) = (Some(child), port);
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap_or_default()
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.as_ref().unwrap().id().try_into().unwrap()), signal).unwrap();
    }

    fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.child.take().unwrap().wait().unwrap();
    }

    /// Ids of the first videos it lists.
    fn listed(&self) -> Vec<i64> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET /api/json/videos2/86400/str/longest/100/all..1.all.all.all.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\
             Accept-Encoding: identity\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let start = body.find('{').unwrap();
        let end = body.rfind('}').unwrap();
        let body: serde_json::Value = serde_json::from_str(&body[start..=end]).unwrap();
        body["videos"].as_array().unwrap().iter().map(|card| card["video_id"].as_i64().unwrap()).collect()
    }

    /// Waits until it lists none of `hidden`.
    fn forgets(&self, hidden: &[i64], when: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            let left: Vec<i64> = self.listed().into_iter().filter(|id| hidden.contains(id)).collect();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{when}: {left:?} of {hidden:?} are listed still\n{}", self.said());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// While it runs.
    fn verify(&self) {
        let output = self.command(&["verify"]).output().unwrap();
        let (said, text) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{said}{text}\n{}", self.said());
        assert_eq!(
            said.lines().filter(|line| line.ends_with("0 missing, 0 different, 0 surplus")).count(),
            8,
            "{said}"
        );
    }

    fn end(mut self) {
        stop(self.child.take().unwrap());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // A test that failed leaves nobody running; one that ended has taken it.
            child.kill().and_then(|()| child.wait()).ok();
        }
    }
}

/// A database with nothing in it: the first node brings the schema.
async fn database() -> TestDb {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql("drop schema public cascade; create schema public").execute(&db.pool).await.unwrap();
    db
}

/// Makes videos private, one statement each.
async fn hide(pool: &PgPool, ids: &[i64]) {
    for id in ids {
        sqlx::query("update videos set is_private = true where id = $1").bind(id).execute(pool).await.unwrap();
    }
}

/// Every document has to be written again.
async fn rename_all(pool: &PgPool) {
    sqlx::query("update videos set title = title || '!'").execute(pool).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_with_an_engine_each_end_without_a_difference() {
    let db = database().await;
    let mut a = Node::on(&db.url, &[]);
    let mut b = Node::on(&db.url, &[]);
    let listed = a.listed();
    assert_eq!(b.listed(), listed);
    let mut parts = listed.chunks(4);
    let mut hidden: Vec<i64> = Vec::new();
    let mut next = || parts.next().unwrap().to_vec();

    // Both there.
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    for node in [&a, &b] {
        node.forgets(&hidden, "both nodes run");
    }

    // One is killed in the middle of work, the other goes on; the first catches up at once when it is back.
    rename_all(&db.pool).await;
    b.kill();
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    a.forgets(&hidden, "the other one is killed");
    b.start();
    b.forgets(&hidden, "started after a kill");

    // One is paused for longer than a lease, while both have work.
    rename_all(&db.pool).await;
    a.signal(Signal::SIGSTOP);
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    b.forgets(&hidden, "the other one is paused");
    tokio::time::sleep(PAUSE).await;
    a.signal(Signal::SIGCONT);
    a.forgets(&hidden, "after a pause");

    // Both are killed with everything to do.
    rename_all(&db.pool).await;
    a.kill();
    b.kill();
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    a.start();
    b.start();
    for node in [&a, &b] {
        node.forgets(&hidden, "both nodes were killed");
        node.verify();
    }
    let waiting: i64 = sqlx::query_scalar("select count(*) from outbox").fetch_one(&db.pool).await.unwrap();
    assert_eq!(waiting, 0);
    a.end();
    b.end();
}

/// A search server that outlives the nodes, and what they need to reach it.
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
async fn of_nodes_that_share_a_search_server_one_writes_and_another_takes_over() {
    let (db, folder) = (database().await, tempfile::tempdir().unwrap());
    let (engine, settings) = server(folder.path()).await;
    let a = Node::on(&db.url, &settings);
    assert_eq!(epoch(&db.pool).await, 1);
    let b = Node::on(&db.url, &settings);
    assert_eq!(epoch(&db.pool).await, 1, "the second one reads what the first one writes");
    let listed = a.listed();
    assert_eq!(b.listed(), listed);
    let mut parts = listed.chunks(4);
    let mut hidden: Vec<i64> = Vec::new();
    let mut next = || parts.next().unwrap().to_vec();

    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    for node in [&a, &b] {
        node.forgets(&hidden, "both nodes run");
    }

    // The writer is paused in the middle of work. It wakes when another one has written something newer.
    rename_all(&db.pool).await;
    a.signal(Signal::SIGSTOP);
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    b.forgets(&hidden, "the writer is paused");
    assert_eq!(epoch(&db.pool).await, 2, "one take-over");
    tokio::time::sleep(PAUSE).await;
    a.signal(Signal::SIGCONT);
    a.forgets(&hidden, "the writer of before is awake again");
    b.verify();

    // The writer is killed.
    rename_all(&db.pool).await;
    let mut b = b;
    b.kill();
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    a.forgets(&hidden, "the writer is killed");
    assert_eq!(epoch(&db.pool).await, 3);
    b.start();
    b.forgets(&hidden, "started while another one writes");
    // Asked of any node, the writer compares.
    a.verify();
    b.verify();
    let waiting: i64 = sqlx::query_scalar("select count(*) from outbox").fetch_one(&db.pool).await.unwrap();
    assert_eq!(waiting, 0);
    // A clean end doesn't keep the next one waiting.
    a.end();
    let part = next();
    hide(&db.pool, &part).await;
    hidden.extend(&part);
    b.forgets(&hidden, "the writer ended");
    b.end();
    engine.shutdown().await;
}
