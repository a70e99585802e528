//! What `lantern status` tells of a Lantern that runs, and of one that doesn't.

use sqlx::PgPool;

use crate::{database, lantern, run, stop, up};

async fn sql(pool: &PgPool, statement: &'static str) {
    sqlx::raw_sql(statement).execute(pool).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn status_names_what_is_parked_and_tries_it_again() {
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
    // The engine of this Lantern listens on no port that is known: the rest is told all the same.
    let (asked, said, why) = status(&[]);
    assert!(!asked && why.contains("search.listen"), "{why}");
    assert!(said.contains("Changes        none waits"), "{said}");
    assert!(said.contains("Parked         1\n"), "{said}");
    let line = "  video 7: waiting for 5 h, refused 3 times, next try in 89 min: too large";
    assert!(said.contains(line), "{said}");
    assert!(said.contains(" GiB free of "), "{said}");

    // Live sync tries it at once, and it is no longer refused.
    let (_, said, _) = status(&["--retry"]);
    assert!(said.contains("Retried        1 "), "{said}");
    let left = "select count(*) from outbox where parked is not null or entity_id = 7";
    while sqlx::query_scalar::<_, i64>(left).fetch_one(&pool).await.unwrap() > 0 {
        tokio::task::yield_now().await;
    }
    pool.close().await;
    stop(child);

    let (asked, said, why) = status(&[]);
    assert!(asked, "{why}");
    assert!(said.contains("Parked         0\n") && said.contains("Search engine  9 indexes, "), "{said}");
}
