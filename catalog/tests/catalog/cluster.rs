//! The embedded Postgres: starts, stops, restarts after a crash, and roles.

use std::time::{Duration, Instant};

use lantern_catalog::cluster::Cluster;
use tokio_util::sync::CancellationToken;

async fn answer(url: &str) -> i32 {
    let pool = lantern_catalog::connect(url, 2).await.unwrap();
    let answer = sqlx::query_scalar("select 6 * 7").fetch_one(&pool).await.unwrap();
    pool.close().await;
    answer
}

#[tokio::test]
async fn cluster_starts_stops_and_restarts() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    let cluster = Cluster::start(&dir).await.unwrap();
    let pool = lantern_catalog::connect(cluster.setup_url(), 2).await.unwrap();
    lantern_catalog::migrate(&pool).await.unwrap();
    lantern_catalog::grant(&pool, cluster.url()).await.unwrap();
    sqlx::raw_sql("insert into channels (dir, title, url) values ('a', 'A', 'https://a.example/')")
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
    cluster.stop().await.unwrap();
    assert!(!dir.join("postmaster.pid").exists(), "fast shutdown removes the pid file");

    let cluster = Cluster::start(&dir).await.unwrap();
    let pool = lantern_catalog::connect(cluster.url(), 2).await.unwrap();
    let kept: i64 = sqlx::query_scalar("select count(*) from channels").fetch_one(&pool).await.unwrap();
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn cluster_runs_in_inaccessible_parents_and_long_paths() {
    let root = tempfile::tempdir().unwrap();
    // The temporary folder already has mode 0700 and belongs to us. The name makes the path longer than a socket
    // address can be.
    let dir = root.path().join("x".repeat(120)).join("postgres");
    let cluster = Cluster::start(&dir).await.unwrap();
    assert_eq!(answer(cluster.url()).await, 42);
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn killed_server_recovers_at_the_next_start() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    let cluster = Cluster::start(&dir).await.unwrap();
    let pid = i32::try_from(cluster.pid()).unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
    drop(cluster);
    assert!(dir.join("postmaster.pid").exists());
    let cluster = Cluster::start(&dir).await.unwrap();
    assert_eq!(answer(cluster.url()).await, 42);
}

#[tokio::test]
async fn killed_server_restarts_at_the_same_address_and_its_pool_reconnects() {
    let root = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(&root.path().join("postgres")).await.unwrap();
    let pool = lantern_catalog::connect(cluster.url(), 2).await.unwrap();
    let (killed, stop) = (cluster.pid(), CancellationToken::new());
    cluster.ensure_running(&stop).await.unwrap();
    assert_eq!(cluster.pid(), killed, "a running server is left alone");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(killed.try_into().unwrap()), nix::sys::signal::Signal::SIGKILL)
        .unwrap();
    assert!(cluster.ended().await.contains("signal: 9"));
    cluster.ensure_running(&stop).await.unwrap();
    assert_ne!(cluster.pid(), killed);
    // A connection that was idle in the pool is tested before it is used.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let answer: i32 = sqlx::query_scalar("select 6 * 7").fetch_one(&pool).await.unwrap();
    assert_eq!(answer, 42);
    pool.close().await;
    cluster.stop().await.unwrap();
}

#[tokio::test]
async fn cancelled_start_leaves_no_server() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    Cluster::start(&dir).await.unwrap().stop().await.unwrap();
    let stop = CancellationToken::new();
    stop.cancel();
    let error = Cluster::start_until(&dir, &stop).await.unwrap_err().to_string();
    assert_eq!(error, "Postgres was stopped during startup");
    assert!(!dir.join("postmaster.pid").exists());
}

#[tokio::test]
async fn stale_pid_file_of_a_foreign_process_does_not_block_the_start() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    Cluster::start(&dir).await.unwrap().stop().await.unwrap();
    let stale = format!("{}\n{}\n0\n5432\n/tmp/nowhere\n\n0 0\nready\n", std::process::id(), dir.display());
    std::fs::write(dir.join("postmaster.pid"), stale).unwrap();
    let cluster = Cluster::start(&dir).await.unwrap();
    assert_eq!(answer(cluster.url()).await, 42);
}

#[tokio::test]
async fn second_start_in_the_same_folder_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    let _first = Cluster::start(&dir).await.unwrap();
    let error = Cluster::start(&dir).await.unwrap_err().to_string();
    assert!(error.starts_with("another Lantern is running with the data folder"), "{error}");
}

#[tokio::test]
async fn unreachable_server_is_reported_without_the_password() {
    let error = lantern_catalog::connect("postgres://me:hidden@127.0.0.1:1/db", 2).await.unwrap_err().to_string();
    assert!(error.starts_with("Postgres is not reachable at 127.0.0.1:1"), "{error}");
    assert!(!error.contains("hidden"));
}

/// This runs in a separate process, which the test below starts and kills.
#[tokio::test]
#[ignore = "waits to be killed"]
async fn holds_a_cluster_until_killed() {
    let dir = std::env::var("LANTERN_TEST_CLUSTER").unwrap();
    let cluster = Cluster::start(dir.as_ref()).await.unwrap();
    println!("pid {}", cluster.pid());
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn killed_lantern_stops_its_server_and_can_restart() {
    use std::io::{BufRead, BufReader};
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    let mut holder = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cluster::holds_a_cluster_until_killed", "--ignored", "--nocapture"])
        .env("LANTERN_TEST_CLUSTER", &dir)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    let pid = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("pid ").map(|(_, pid)| pid.trim().parse::<i32>().unwrap()))
        .unwrap();
    holder.kill().unwrap();
    holder.wait().unwrap();
    // The kernel signals the server, which then shuts down on its own.
    let since = Instant::now();
    while std::path::Path::new(&format!("/proc/{pid}/cwd")).exists() {
        assert!(since.elapsed() < Duration::from_secs(20), "the server outlived its Lantern");
        tokio::task::yield_now().await;
    }
    let old_socket = std::fs::read_to_string(root.path().join("postgres.socket")).unwrap();
    let cluster = Cluster::start(&dir).await.unwrap();
    assert_eq!(answer(cluster.url()).await, 42);
    assert!(!std::path::Path::new(&old_socket).exists(), "the socket folder of the killed run is removed");
}

#[tokio::test]
async fn cluster_of_an_earlier_version_gets_two_roles() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("postgres");
    let cluster = Cluster::start(&dir).await.unwrap();
    let setup = lantern_catalog::connect(cluster.setup_url(), 1).await.unwrap();
    lantern_catalog::migrate(&setup).await.unwrap();
    // In earlier versions, there was only one role, the cluster's first superuser, which owned everything.
    sqlx::raw_sql("create role helper login superuser").execute(&setup).await.unwrap();
    setup.close().await;
    let helper = cluster.setup_url().replacen("lantern_setup@", "helper@", 1);
    let helper = lantern_catalog::connect(&helper, 1).await.unwrap();
    sqlx::raw_sql(
        "insert into channels (dir, title, url) values ('a', 'A', 'https://a.example/');
         drop role lantern; alter role lantern_setup rename to lantern",
    )
    .execute(&helper)
    .await
    .unwrap();
    helper.close().await;
    cluster.stop().await.unwrap();

    let cluster = Cluster::start(&dir).await.unwrap();
    let setup = lantern_catalog::connect(cluster.setup_url(), 1).await.unwrap();
    lantern_catalog::migrate(&setup).await.unwrap();
    lantern_catalog::grant(&setup, cluster.url()).await.unwrap();
    let owner = "select tableowner::text from pg_tables where tablename = 'channels'";
    assert_eq!(sqlx::query_scalar::<_, String>(owner).fetch_one(&setup).await.unwrap(), "lantern_setup");
    let pool = lantern_catalog::connect(cluster.url(), 1).await.unwrap();
    let rights = "select rolname::text, rolsuper, has_table_privilege('channels', 'insert'),
                         has_table_privilege('channels', 'truncate'), (select count(*) from channels)
                  from pg_roles where rolname = current_user";
    let rights: (String, bool, bool, bool, i64) = sqlx::query_as(rights).fetch_one(&pool).await.unwrap();
    assert_eq!(rights, ("lantern".to_owned(), false, true, false, 1));
    // Decisions are append-only.
    let decisions = "select has_table_privilege('decisions', 'select'), has_table_privilege('decisions', 'insert'),
                            has_table_privilege('decisions', 'update'), has_table_privilege('decisions', 'delete')";
    let decisions: (bool, bool, bool, bool) = sqlx::query_as(decisions).fetch_one(&pool).await.unwrap();
    assert_eq!(decisions, (true, true, false, false));
}
