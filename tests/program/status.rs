//! `lantern status` while Lantern is running and after it has stopped.

use lantern_index::IndexName;
use sqlx::PgPool;

use crate::{database, lantern, run, stop, up};

async fn sql(pool: &PgPool, statement: &'static str) {
    sqlx::raw_sql(statement).execute(pool).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn status_lists_and_retries_parked_objects() {
    let folder = tempfile::tempdir().unwrap();
    let status = |arguments: &[&str]| {
        let (output, text) = run(lantern(folder.path()).arg("status").args(arguments));
        (output.status.success(), String::from_utf8(output.stdout).unwrap(), text)
    };
    let child = up(folder.path());
    let pool = database(folder.path()).await;
    sql(
        &pool,
        "insert into outbox (consumer_id, entity, entity_id, parked, refusals, created_at, retry_at)
         select id, 'video', 7, 'too large', 3, now() - interval '5 hours', now() + interval '90 minutes'
         from outbox_consumers",
    )
    .await;
    // The engine's port is unknown, but everything else is printed.
    let (succeeded, stdout, why) = status(&[]);
    assert!(!succeeded && why.contains("search.listen"), "{why}");
    assert!(stdout.contains("Changes        none pending"), "{stdout}");
    assert!(stdout.contains("Parked         1\n"), "{stdout}");
    let line = "  video 7: parked 5 h ago, rejected 3 times, next retry in 89 min: too large";
    assert!(stdout.contains(line), "{stdout}");
    assert!(stdout.contains(" GiB free of "), "{stdout}");

    // The running sync retries the object immediately, and the engine accepts it.
    let (_, stdout, _) = status(&["--retry"]);
    assert!(stdout.contains("Retrying       1 "), "{stdout}");
    let left = "select count(*) from outbox where parked is not null or entity_id = 7";
    while sqlx::query_scalar::<_, i64>(left).fetch_one(&pool).await.unwrap() > 0 {
        tokio::task::yield_now().await;
    }
    pool.close().await;
    stop(child);

    let (succeeded, stdout, why) = status(&[]);
    assert!(succeeded, "{why}");
    // One more index says which consumer wrote them.
    let engine = format!("Search engine  {} indexes, ", IndexName::ALL.len() + 1);
    assert!(stdout.contains("Parked         0\n") && stdout.contains(&engine), "{stdout}");
}
