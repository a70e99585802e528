//! Benchmarks at full size, on demand: `cargo nextest run --release -p lantern-catalog --run-ignored only --no-capture
//! speed`.

use std::time::{Duration, Instant};

use lantern_catalog::{
    cluster::Cluster,
    documents,
    seed::{self, SeedOptions},
};
use lantern_config::Mode;

#[tokio::test]
#[ignore = "takes minutes and gigabytes"]
async fn a_million_videos_in_two_minutes() {
    let root = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(&root.path().join("postgres")).await.unwrap();
    let pool = lantern_catalog::connect(cluster.setup_url(), 4).await.unwrap();
    lantern_catalog::migrate(&pool).await.unwrap();
    let since = Instant::now();
    let last = std::sync::Mutex::new(Duration::ZERO);
    let report = |done, total| {
        if done == total {
            *last.lock().unwrap() = since.elapsed();
        }
    };
    seed::run(&pool, Mode::Development, &SeedOptions::scaled(1_000_000), &report).await.unwrap();
    let took = since.elapsed();
    let size: String = sqlx::query_scalar("select pg_size_pretty(pg_database_size(current_database()))")
        .fetch_one(&pool)
        .await
        .unwrap();
    let rows: i64 =
        sqlx::query_scalar("select sum(n_live_tup)::bigint from pg_stat_user_tables").fetch_one(&pool).await.unwrap();
    eprintln!("seed: {took:?}, rows generated after {:?}, {rows} rows, {size}", last.lock().unwrap());

    let ids: Vec<i64> = (500_001..=501_000).collect();
    let mut conn = pool.acquire().await.unwrap();
    for _ in 0..3 {
        let since = Instant::now();
        let read = documents::videos::rows(&mut conn, &ids).await.unwrap();
        eprintln!("{} video rows: {:?}", read.len(), since.elapsed());
    }
    assert!(took < Duration::from_secs(120), "took {took:?}");
}
