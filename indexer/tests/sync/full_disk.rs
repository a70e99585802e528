//! Tests that changes wait if the disk fills up, and that the engine applies them once there is space again.
//!
//! The test runs itself again in a separate mount namespace with a small tmpfs, which root can create, and any other user if the system
//! allows it.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output},
    sync::Arc,
    time::Duration,
};

use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions};
use lantern_index::{IndexName, SearchClient, Transport};
use lantern_indexer::Indexer;
use lantern_testing::TestDb;
use meilisearch_sdk::{
    errors::ErrorCode,
    tasks::{Task, TasksSearchQuery},
};
use sqlx::{AssertSqlSafe, PgPool};
use tokio_util::sync::CancellationToken;

/// Environment variable with the folder of the small disk, set for the child process.
const FOLDER: &str = "LANTERN_SMALL_DISK";
/// Environment variable with the child's database URL, because the namespace's root may not be allowed to start a server.
const DATABASE: &str = "LANTERN_SMALL_DISK_DATABASE";
const NAME: &str = "full_disk::changes_wait_for_space_and_are_applied_without_a_restart";
const STARTED: &str = "on the small disk";
/// 96 MiB fit eight indexes and their shadows, but not a write of all descriptions in the remaining space.
const TMPFS: &str = r#"mount -t tmpfs -o size=96m tmpfs "$LANTERN_SMALL_DISK" && exec "$0" --exact "$1" --nocapture"#;
/// Number of videos. The first tenth is made private while the disk is nearly full, the second tenth while it is full.
const VIDEOS: i64 = 300;
/// Bytes left at first. They are enough to record that a write failed, but far too few for the write itself.
const LEFT: u64 = 6 << 20;
/// Condition: every change has failed more than once, or the engine has been waiting for space since the last one.
const WAITS: &str =
    "count(*) > 0 and (min(attempts) >= 2 or max(created_at) < clock_timestamp() - interval '10 seconds')";
/// Timeout of a step, far longer than any step takes.
const STEP_TIMEOUT: Duration = Duration::from_secs(120);
/// Interval between polls of the catalog.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[test]
fn changes_wait_for_space_and_are_applied_without_a_restart() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if let (Some(folder), Ok(url)) = (std::env::var_os(FOLDER), std::env::var(DATABASE)) {
        return runtime.block_on(fill(Path::new(&folder), &url));
    }
    let db = runtime.block_on(TestDb::create()).unwrap();
    let forms: [(&str, &[&str]); 2] = [
        ("tmpfs as root", &["unshare", "--mount", "sh", "-c", TMPFS]),
        ("tmpfs in a user namespace", &["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", TMPFS]),
    ];
    for (form, command) in forms {
        let folder = tempfile::tempdir().unwrap();
        let Some(output) = run(command, folder.path(), &db.url) else { continue };
        let said = String::from_utf8_lossy(&output.stdout);
        if !said.contains(STARTED) {
            println!("not possible here: {form}");
            continue;
        }
        println!("{form}: {said}");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    println!("skipped: this system allows no user to mount a file system");
}

fn run(command: &[&str], folder: &Path, url: &str) -> Option<Output> {
    let mut child = Command::new(command[0]);
    child.args(&command[1..]).arg(std::env::current_exe().unwrap()).arg(NAME).env(FOLDER, folder).env(DATABASE, url);
    match child.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("not possible here: {}: {error}", command[0]);
            None
        }
    }
}

/// Catalog of the test.
struct Catalog(PgPool);

impl Catalog {
    async fn sql(&self, statement: &str) {
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&self.0).await.unwrap();
    }

    async fn number(&self, select: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(select.to_owned())).fetch_one(&self.0).await.unwrap()
    }

    /// Waits until a condition on the outbox holds. Nothing may be parked meanwhile.
    async fn until(&self, condition: &str) {
        let select = format!("select ({condition})::int::bigint from outbox");
        let waited = tokio::time::timeout(STEP_TIMEOUT, async {
            while self.number(&select).await == 0 {
                let parked = self.number("select count(*) from outbox where parked is not null").await;
                assert_eq!(parked, 0, "documents must not be parked because of a full disk");
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        assert!(waited.await.is_ok(), "never {condition}");
    }
}

async fn fill(folder: &Path, url: &str) {
    println!("{STARTED}");
    let catalog = Catalog(lantern_catalog::connect(url, 8).await.unwrap());
    let category = catalog.number("insert into categories (dir) values ('travel') returning id").await;
    catalog
        .sql(&format!(
            "insert into category_titles values ({category}, 'en', 'Travel');
             with made as (
                 insert into videos (dir, title, lang, gender, duration)
                 select 'video', 'Harbour lights', 'en', 'str', 600 from generate_series(1, {VIDEOS}) returning id)
             insert into video_categories select id, {category} from made"
        ))
        .await;
    let options = EngineOptions { initial_map_size: 64 << 20, ..EngineOptions::new(folder.join("index")) };
    let engine = Engine::open(options).unwrap();
    let sled = tempfile::tempdir().unwrap();
    let indexer = Indexer::new(catalog.0.clone(), client(&engine), Arc::new(Config::default()), sled.path()).unwrap();
    indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    indexer.drain().await.unwrap();

    let stop = CancellationToken::new();
    let sync = tokio::spawn({
        let (indexer, stop) = (indexer.clone(), stop.clone());
        async move { indexer.run(stop).await }
    });
    let ballast = folder.join("ballast");
    fill_disk_except(&ballast, LEFT);
    // This is a single statement, so that the hidden videos share their batch with the write that doesn't fit.
    catalog
        .sql(&format!(
            "update videos set is_private = id <= {},
                    description = (select string_agg(md5(id::text || n::text), ' ') from generate_series(1, 140) n)",
            VIDEOS / 10
        ))
        .await;
    catalog.until(WAITS).await;
    // On a busy machine, the write itself may outlast the waiting time of the condition.
    let failed = tokio::time::timeout(STEP_TIMEOUT, async {
        while !out_of_space(&engine).await {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    });
    assert!(failed.await.is_ok(), "the write was never attempted or never failed");
    fill_disk_except(&ballast, 0);
    let tenth = format!("update videos set is_private = true where id > {0} and id <= 2 * {0}", VIDEOS / 10);
    catalog.sql(&tenth).await;
    catalog.until(WAITS).await;

    fs::remove_file(&ballast).unwrap();
    catalog.until("count(*) = 0").await;
    stop.cancel();
    sync.await.unwrap();
    for index in IndexName::ALL {
        let found = indexer.verify(index, false).await.unwrap();
        assert_eq!((found.missing, found.different, found.surplus), (0, 0, 0), "{}", index.uid());
    }
    let videos = client(&engine).index("videos").get_stats().await.unwrap().number_of_documents;
    assert_eq!(videos as i64, VIDEOS - 2 * (VIDEOS / 10), "private videos must be gone");
    engine.shutdown().await;
}

fn client(engine: &Engine) -> SearchClient {
    Transport::in_process(engine.trusted_router(), None)
}

/// Whether a task failed for lack of space. Later requests are rejected at once, because a failed write retains its blocks.
async fn out_of_space(engine: &Engine) -> bool {
    let client = client(engine);
    let mut query = TasksSearchQuery::new(&client);
    query.with_statuses(["failed"]);
    query.execute().await.unwrap().results.iter().any(
        |task| matches!(task, Task::Failed { content } if content.error.error_code == ErrorCode::NoSpaceLeftOnDevice),
    )
}

/// Fills the file system except for `free` bytes.
fn fill_disk_except(ballast: &Path, free: u64) {
    let mut file = fs::File::options().create(true).append(true).open(ballast).unwrap();
    for size in [1 << 16, 1] {
        let block = vec![1; size];
        while file.write_all(&block).is_ok() {}
    }
    let size = file.metadata().unwrap().len();
    file.set_len(size - free).unwrap();
}
