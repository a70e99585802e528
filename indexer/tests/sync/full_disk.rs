//! A disk that fills up below the engine while changes come in: they wait, and arrive when there is room again.
//!
//! The test starts itself again in a mount namespace of its own with a small tmpfs, which root and, where the system lets them,
//! everybody else may make.

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

/// Names the small disk to the test that was started again.
const FOLDER: &str = "LANTERN_SMALL_DISK";
/// Names its database: the namespace's root may not be allowed to start one.
const DATABASE: &str = "LANTERN_SMALL_DISK_DATABASE";
const NAME: &str = "full_disk::changes_wait_for_room_and_arrive_without_a_restart";
const STARTED: &str = "on the small disk";
/// 96 MiB hold eight indexes and their shadows; a write of all descriptions does not fit into what is left.
const TMPFS: &str = r#"mount -t tmpfs -o size=96m tmpfs "$LANTERN_SMALL_DISK" && exec "$0" --exact "$1" --nocapture"#;
/// Videos; the first tenth is made private on the nearly full disk, the second one on the full one.
const VIDEOS: i64 = 300;
/// Bytes left at first: enough to say that a write failed, far too few for the write.
const LEFT: u64 = 6 << 20;
/// Every change was tried and failed more than once, or the engine has waited for room since the last one came.
const WAITS: &str =
    "count(*) > 0 and (min(attempts) >= 2 or max(created_at) < clock_timestamp() - interval '10 seconds')";
/// Far longer than any step here takes; a stopped one fails the test.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks at the catalog.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[test]
fn changes_wait_for_room_and_arrive_without_a_restart() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if let (Some(folder), Ok(url)) = (std::env::var_os(FOLDER), std::env::var(DATABASE)) {
        return runtime.block_on(fill(Path::new(&folder), &url));
    }
    let db = runtime.block_on(TestDb::create()).unwrap();
    let forms: [(&str, &[&str]); 2] = [
        ("a tmpfs of root's", &["unshare", "--mount", "sh", "-c", TMPFS]),
        ("a tmpfs in a user's namespace", &["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", TMPFS]),
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
    println!("skipped: this system lets nobody mount a file system");
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

/// What the test says to the catalog.
struct Catalog(PgPool);

impl Catalog {
    async fn sql(&self, statement: &str) {
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&self.0).await.unwrap();
    }

    async fn number(&self, select: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(select.to_owned())).fetch_one(&self.0).await.unwrap()
    }

    /// Waits until the condition over the outbox holds; nothing may be parked meanwhile.
    async fn until(&self, condition: &str) {
        let select = format!("select ({condition})::int::bigint from outbox");
        let waited = tokio::time::timeout(PATIENCE, async {
            while self.number(&select).await == 0 {
                let parked = self.number("select count(*) from outbox where parked is not null").await;
                assert_eq!(parked, 0, "a full disk is no fault of a document");
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
    take_all_but(&ballast, LEFT);
    // One statement, so that what is hidden shares its batch with what doesn't fit.
    catalog
        .sql(&format!(
            "update videos set is_private = id <= {},
                    description = (select string_agg(md5(id::text || n::text), ' ') from generate_series(1, 140) n)",
            VIDEOS / 10
        ))
        .await;
    catalog.until(WAITS).await;
    // On a busy machine the write itself takes longer than what counts as waiting.
    let failed = tokio::time::timeout(PATIENCE, async {
        while !out_of_room(&engine).await {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    });
    assert!(failed.await.is_ok(), "the write was never tried, or never failed");
    take_all_but(&ballast, 0);
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
    assert_eq!(videos as i64, VIDEOS - 2 * (VIDEOS / 10), "what was made private is gone");
    engine.shutdown().await;
}

fn client(engine: &Engine) -> SearchClient {
    Transport::in_process(engine.trusted_router(), None)
}

/// Whether a task failed for want of room. What follows it is refused at the door: a failed write keeps its blocks.
async fn out_of_room(engine: &Engine) -> bool {
    let client = client(engine);
    let mut query = TasksSearchQuery::new(&client);
    query.with_statuses(["failed"]);
    query.execute().await.unwrap().results.iter().any(
        |task| matches!(task, Task::Failed { content } if content.error.error_code == ErrorCode::NoSpaceLeftOnDevice),
    )
}

/// Fills the file system but for `free` bytes.
fn take_all_but(ballast: &Path, free: u64) {
    let mut file = fs::File::options().create(true).append(true).open(ballast).unwrap();
    for size in [1 << 16, 1] {
        let block = vec![1; size];
        while file.write_all(&block).is_ok() {}
    }
    let size = file.metadata().unwrap().len();
    file.set_len(size - free).unwrap();
}
