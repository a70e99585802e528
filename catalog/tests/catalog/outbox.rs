//! The outbox and its consumers: claims, acknowledgments, parked objects and takeovers.

use std::time::Duration;

use lantern_catalog::{
    Error,
    consumers::{self, Lease},
    counters,
    outbox::{self, ClaimSize, Entity},
    parked,
};
use lantern_testing::TestDb;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

const LEASE: Duration = Duration::from_secs(30);

async fn mark(pool: &PgPool, entity: &str, id: i64) {
    sqlx::query("insert into outbox_for_all (entity, entity_id) values ($1, $2)")
        .bind(entity)
        .bind(id)
        .execute(pool)
        .await
        .unwrap();
}

/// Registers a consumer and becomes its writer.
async fn writer(pool: &PgPool, name: &str) -> Lease {
    let mut conn = pool.acquire().await.unwrap();
    consumers::register(&mut conn, name).await.unwrap();
    consumers::acquire(&mut conn, name, LEASE, true).await.unwrap().unwrap()
}

const fn size(rows: i64) -> ClaimSize {
    ClaimSize { rows, derived: rows }
}

#[tokio::test]
async fn few_derived_changes_are_claimed_at_once() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    for id in 1..=5 {
        let derived = sqlx::query("insert into outbox_derived_for_all (entity, entity_id) values ('video', $1)");
        derived.bind(id).execute(&db.pool).await.unwrap();
    }
    for id in [8, 9] {
        mark(&db.pool, "video", id).await;
    }
    let mut conn = db.pool.acquire().await.unwrap();
    for ids in [vec![8, 9, 1], vec![2], vec![3]] {
        let size = ClaimSize { rows: 4, derived: 1 };
        let claimed = outbox::claim(&mut conn, &lease, size, LEASE).await.unwrap();
        let mut found: Vec<i64> = claimed.iter().map(|claim| claim.entity_id).collect();
        found.sort_unstable_by_key(|id| (*id < 8, *id));
        assert_eq!(found, ids);
    }
}

/// Claims rows and returns the ids of their objects.
async fn claimed(conn: &mut PgConnection, lease: &Lease) -> Vec<i64> {
    outbox::claim(conn, lease, size(10), LEASE).await.unwrap().iter().map(|claim| claim.entity_id).collect()
}

#[tokio::test]
async fn rows_of_one_object_are_claimed_together_and_acknowledged_by_id() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    for id in [7, 8, 7] {
        mark(&db.pool, "video", id).await;
    }
    let mut conn = db.pool.acquire().await.unwrap();
    let batch = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
    let seen: Vec<_> = batch.iter().map(|c| (c.entity, c.entity_id, c.rows.len())).collect();
    assert_eq!(seen, [(Entity::Video, 7, 2), (Entity::Video, 8, 1)]);
    // A change after the claim gets its own row, which waits for the acknowledgment of the claim and remains
    // afterwards.
    mark(&db.pool, "video", 7).await;
    assert_eq!(claimed(&mut conn, &lease).await, [] as [i64; 0]);
    assert_eq!(outbox::ack(&mut conn, &batch[0].rows).await.unwrap(), 2);
    let again = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
    assert_eq!(again.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [7]);
}

#[tokio::test]
async fn direct_changes_are_claimed_before_derived_ones() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    let shown = "insert into outbox_derived_for_all select 'video', id from generate_series(101, 120) id";
    sqlx::raw_sql(shown).execute(&db.pool).await.unwrap();
    mark(&db.pool, "category", 3).await;
    mark(&db.pool, "video", 7).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let mut first = claimed(&mut conn, &lease).await;
    first.sort_unstable();
    assert_eq!(first, [3, 7, 101, 102, 103, 104, 105, 106, 107, 108]);
}

#[tokio::test]
async fn large_claim_does_not_use_a_plan_for_few_rows() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    let mut conn = db.pool.acquire().await.unwrap();
    // Postgres caches the plan from the sixth execution on.
    for id in 1..=8 {
        mark(&db.pool, "video", id).await;
        let batch = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
        sqlx::raw_sql("analyze outbox").execute(&db.pool).await.unwrap();
        outbox::ack(&mut conn, &batch[0].rows).await.unwrap();
    }
    let many = "insert into outbox_derived_for_all select 'video', id from generate_series(101, 20100) id";
    sqlx::raw_sql(many).execute(&db.pool).await.unwrap();
    let before = whole_reads(&mut conn).await;
    assert_eq!(claimed(&mut conn, &lease).await.len(), 10);
    assert_eq!(whole_reads(&mut conn).await, before, "the outbox is read through its indexes");
}

/// Returns the number of sequential scans of the outbox.
async fn whole_reads(conn: &mut PgConnection) -> i64 {
    sqlx::query("select pg_stat_force_next_flush()").execute(&mut *conn).await.unwrap();
    sqlx::query("select 1").execute(&mut *conn).await.unwrap();
    let reads = "select seq_scan from pg_stat_user_tables where relname = 'outbox'";
    sqlx::query_scalar(reads).fetch_one(conn).await.unwrap()
}

#[tokio::test]
async fn concurrent_claims_never_share_an_object() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    for id in (1..=10).chain(1..=10) {
        mark(&db.pool, "model", id).await;
    }
    // Each of them claims half of the rows, concurrently.
    let claim = async || {
        let mut conn = db.pool.acquire().await.unwrap();
        outbox::claim(&mut conn, &lease, size(10), LEASE)
            .await
            .unwrap()
            .iter()
            .map(|one| one.entity_id)
            .collect::<Vec<_>>()
    };
    let (one, other) = tokio::join!(claim(), claim());
    let mut all: Vec<i64> = one.iter().chain(&other).copied().collect();
    all.sort_unstable();
    assert_eq!(all, (1..=10).collect::<Vec<_>>(), "{one:?} and {other:?}");
}

#[tokio::test]
async fn late_commit_with_a_lower_id_is_not_lost() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    let mut late = db.pool.begin().await.unwrap();
    sqlx::raw_sql("insert into outbox_for_all values ('video', 1)").execute(&mut *late).await.unwrap();
    mark(&db.pool, "video", 2).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let early = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
    assert_eq!(early.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [2]);
    outbox::ack(&mut conn, &early[0].rows).await.unwrap();
    late.commit().await.unwrap();
    let then = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
    assert_eq!(then.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn expired_or_released_claim_frees_its_rows() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    mark(&db.pool, "album", 1).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let first = outbox::claim(&mut conn, &lease, size(1), Duration::ZERO).await.unwrap();
    assert_eq!(first[0].attempts, 1);
    let second = outbox::claim(&mut conn, &lease, size(1), LEASE).await.unwrap();
    assert_eq!(second[0].attempts, 2);
    assert!(outbox::claim(&mut conn, &lease, size(1), LEASE).await.unwrap().is_empty());
    consumers::free_claims(&mut conn, &lease).await.unwrap();
    assert_eq!(outbox::claim(&mut conn, &lease, size(1), LEASE).await.unwrap()[0].attempts, 3);
}

/// Returns the ids of the objects that a claim finds free.
async fn free(conn: &mut PgConnection, lease: &Lease) -> Vec<i64> {
    outbox::claim(conn, lease, size(10), Duration::ZERO).await.unwrap().iter().map(|claim| claim.entity_id).collect()
}

#[tokio::test]
async fn parked_rows_have_a_reason_and_are_retried_when_due() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    mark(&db.pool, "user", 1).await;
    mark(&db.pool, "user", 2).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let batch = outbox::claim(&mut conn, &lease, size(10), Duration::ZERO).await.unwrap();
    let before = OffsetDateTime::now_utc();
    parked::park(&mut conn, &batch[0].rows, "too strange", &[60]).await.unwrap();
    assert_eq!(free(&mut conn, &lease).await, [2]);
    let lag = outbox::lag(&mut conn).await.unwrap();
    assert_eq!((lag.waiting, lag.parked), (1, 1));
    let listed = parked::list(&mut conn, 10).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].entity, listed[0].entity_id, listed[0].refusals), (Entity::User, 1, 1));
    assert_eq!(listed[0].reason, "too strange");
    assert!((59..=61).contains(&(listed[0].retry_at - before).whole_seconds()), "{listed:?}");

    assert_eq!(parked::retry(&mut conn, false).await.unwrap(), 0, "not yet");
    sqlx::raw_sql("update outbox set created_at = now() - interval '1 day', retry_at = now() - interval '5 s'")
        .execute(&db.pool)
        .await
        .unwrap();
    assert_eq!(parked::retry(&mut conn, false).await.unwrap(), 1);
    assert_eq!(free(&mut conn, &lease).await, [1, 2]);
    sqlx::raw_sql("delete from outbox where entity_id = 2").execute(&db.pool).await.unwrap();
    let oldest = outbox::lag(&mut conn).await.unwrap().oldest.as_secs();
    assert!((5..8).contains(&oldest), "pending since its retry was due, not since its change: {oldest}");
}

#[tokio::test]
async fn retry_pauses_grow_with_refusals_and_objects_are_parked_once() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    let mut conn = db.pool.acquire().await.unwrap();
    let pause = "select extract(epoch from retry_at - clock_timestamp())::float8 from outbox";
    for (refusals, seconds) in [(1, 30), (2, 120), (3, 600), (4, 600), (5, 600)] {
        // The object is refused a second time, after another change. The newer row replaces the older one.
        mark(&db.pool, "video", 7).await;
        let claimed = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
        assert_eq!(claimed.len(), 1);
        parked::park(&mut conn, &claimed[0].rows, "no", &[30, 120, 600]).await.unwrap();
        let listed = parked::list(&mut conn, 10).await.unwrap();
        assert_eq!(listed.iter().map(|one| one.refusals).collect::<Vec<_>>(), [refusals]);
        let left: f64 = sqlx::query_scalar(pause).fetch_one(&db.pool).await.unwrap();
        assert_eq!(left.round() as i64, seconds);
    }
    parked::park_object(&mut conn, lease.consumer, Entity::Album, 7, "another", &[30]).await.unwrap();
    assert_eq!(outbox::lag(&mut conn).await.unwrap().parked, 2);

    // The object's current state has reached the index, so nothing is left to retry.
    mark(&db.pool, "video", 7).await;
    let claimed = outbox::claim(&mut conn, &lease, size(10), LEASE).await.unwrap();
    parked::forget(&mut conn, &claimed[0].rows).await.unwrap();
    outbox::ack(&mut conn, &claimed[0].rows).await.unwrap();
    let left = parked::list(&mut conn, 10).await.unwrap();
    assert_eq!(left.iter().map(|one| (one.entity, one.entity_id)).collect::<Vec<_>>(), [(Entity::Album, 7)]);
    assert_eq!(parked::retry(&mut conn, true).await.unwrap(), 1, "all, even before they are due");
    assert_eq!(outbox::lag(&mut conn).await.unwrap().waiting, 1);
}

#[tokio::test]
async fn lag_is_the_age_of_the_oldest_row() {
    let db = TestDb::create().await.unwrap();
    let lease = writer(&db.pool, "a").await;
    assert_eq!(lease.epoch, 1);
    let mut conn = db.pool.acquire().await.unwrap();
    assert_eq!(outbox::lag(&mut conn).await.unwrap().oldest, Duration::ZERO);
    mark(&db.pool, "user", 1).await;
    sqlx::raw_sql("update outbox set created_at = now() - interval '90 seconds'").execute(&db.pool).await.unwrap();
    let oldest = outbox::lag(&mut conn).await.unwrap().oldest;
    assert!((89..92).contains(&oldest.as_secs()), "{oldest:?}");
}

#[tokio::test]
async fn each_change_reaches_every_consumer_exactly_once() {
    let db = TestDb::create().await.unwrap();
    let (a, b) = (writer(&db.pool, "a").await, writer(&db.pool, "b").await);
    sqlx::raw_sql(
        "insert into videos (dir, title, lang, gender, duration) values ('v', 'V', 'en', 'str', 10);
         update video_stats set viewed = 1",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let mut conn = db.pool.acquire().await.unwrap();
    for (lease, left) in [(&a, 1), (&b, 0)] {
        let batch = outbox::claim(&mut conn, lease, size(10), LEASE).await.unwrap();
        assert_eq!(
            batch.iter().map(|c| (c.entity, c.entity_id, c.rows.len())).collect::<Vec<_>>(),
            [(Entity::Video, 1, 1)]
        );
        outbox::ack(&mut conn, &batch[0].rows).await.unwrap();
        assert_eq!(outbox::lag(&mut conn).await.unwrap().waiting, left);
        assert_eq!(claimed(&mut conn, lease).await, [] as [i64; 0]);
        let marks = counters::marked(&mut conn, lease.consumer, 10).await.unwrap();
        assert_eq!(marks.iter().map(|mark| (mark.entity, mark.entity_id)).collect::<Vec<_>>(), [(Entity::Video, 1)]);
        counters::clear(&mut conn, lease.consumer, &marks).await.unwrap();
        assert!(counters::marked(&mut conn, lease.consumer, 10).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn superseded_writer_is_refused_and_its_claims_are_freed() {
    let db = TestDb::create().await.unwrap();
    let old = writer(&db.pool, "a").await;
    mark(&db.pool, "video", 1).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let batch = outbox::claim(&mut conn, &old, size(10), LEASE).await.unwrap();
    assert_eq!(batch.len(), 1);
    // Until the lease expires, only an exclusive writer can take over.
    assert_eq!(consumers::acquire(&mut conn, "a", LEASE, false).await.unwrap(), None);
    let new = consumers::acquire(&mut conn, "a", LEASE, true).await.unwrap().unwrap();
    assert_eq!((new.consumer, new.epoch), (old.consumer, old.epoch + 1));
    assert!(matches!(outbox::claim(&mut conn, &old, size(10), LEASE).await, Err(Error::Superseded)));
    assert!(matches!(consumers::check(&mut conn, &old).await, Err(Error::Superseded)));
    assert!(matches!(consumers::renew(&mut conn, &old, LEASE).await, Err(Error::Superseded)));
    assert!(matches!(consumers::set_built(&mut conn, &old, "x").await, Err(Error::Superseded)));
    assert!(matches!(consumers::free_claims(&mut conn, &old).await, Err(Error::Superseded)));
    assert_eq!(claimed(&mut conn, &new).await, [1], "claims of the superseded writer are free");
    // Whatever the old writer may have sent is read again, once the pending claim is acknowledged.
    outbox::put_back(&mut conn, old.consumer, &[(Entity::Video, 1)]).await.unwrap();
    assert_eq!(claimed(&mut conn, &new).await, [] as [i64; 0]);
    outbox::ack(&mut conn, &batch[0].rows).await.unwrap();
    assert_eq!(claimed(&mut conn, &new).await, [1]);
    // After the lease has expired or was released, any writer can acquire it.
    consumers::resign(&mut conn, &new).await.unwrap();
    let third = consumers::acquire(&mut conn, "a", Duration::ZERO, false).await.unwrap().unwrap();
    assert_eq!(third.epoch, 3);
    assert_eq!(consumers::acquire(&mut conn, "a", LEASE, false).await.unwrap().unwrap().epoch, 4);
}

#[tokio::test]
async fn settle_waits_for_transactions_open_at_registration() {
    let db = TestDb::create().await.unwrap();
    let insert = "insert into videos (dir, title, lang, gender, duration) values ('v', 'V', 'en', 'str', 10)";
    let mut open = db.pool.begin().await.unwrap();
    sqlx::raw_sql(insert).execute(&mut *open).await.unwrap();
    let mut late = db.pool.begin().await.unwrap();
    sqlx::raw_sql("select 1").execute(&mut *late).await.unwrap();
    let mut fixed = db.pool.begin_with("begin isolation level repeatable read").await.unwrap();
    sqlx::raw_sql("select 1").execute(&mut *fixed).await.unwrap();

    let lease = writer(&db.pool, "a").await;
    let mut conn = db.pool.acquire().await.unwrap();
    {
        let mut settled = std::pin::pin!(consumers::settle(&mut conn));
        let early = tokio::time::timeout(Duration::from_millis(300), &mut settled).await;
        assert!(early.is_err(), "a rebuild started now would miss the open transaction's video");
        // Transactions that are writing now aren't blocked, and they know the consumer.
        sqlx::raw_sql(insert).execute(&mut *late).await.unwrap();
        late.commit().await.unwrap();
        open.commit().await.unwrap();
        settled.await.unwrap();
    }
    let videos: i64 = sqlx::query_scalar("select count(*) from videos").fetch_one(&db.pool).await.unwrap();
    assert_eq!(videos, 2);
    assert_eq!(claimed(&mut conn, &lease).await, [2], "the first is readable, the second has an outbox row");
    // A transaction with an older snapshot can't know the consumer, no matter how late it writes.
    let refused = sqlx::raw_sql(insert).execute(&mut *fixed).await.unwrap_err();
    assert_eq!(refused.as_database_error().and_then(|error| error.code()).as_deref(), Some("40001"), "{refused}");
}

#[tokio::test]
async fn silent_consumer_is_dropped_with_its_rows_and_registers_again() {
    let db = TestDb::create().await.unwrap();
    let (silent, heard) = (writer(&db.pool, "silent").await, writer(&db.pool, "heard").await);
    let mut conn = db.pool.acquire().await.unwrap();
    consumers::set_built(&mut conn, &silent, "x").await.unwrap();
    mark(&db.pool, "video", 1).await;
    sqlx::raw_sql(
        "update outbox_consumers set heard_at = now() - interval '8 days' where name = 'silent';
         insert into videos (dir, title, lang, gender, duration) values ('v', 'V', 'en', 'str', 10);
         update video_stats set viewed = 1",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let week = Duration::from_secs(7 * 86_400);
    assert_eq!(consumers::drop_silent(&mut conn, week).await.unwrap(), ["silent"]);
    assert_eq!(consumers::drop_silent(&mut conn, week).await.unwrap(), [] as [&str; 0]);
    let of: Vec<i32> = sqlx::query_scalar(
        "select distinct consumer_id from (select consumer_id from outbox union all select consumer_id from counter_marks) r",
    )
    .fetch_all(&db.pool)
    .await
    .unwrap();
    assert_eq!(of, [heard.consumer]);
    assert!(matches!(outbox::claim(&mut conn, &silent, size(10), LEASE).await, Err(Error::Superseded)));
    let again = writer(&db.pool, "silent").await;
    assert_ne!(again.consumer, silent.consumer);
    assert_eq!(again.built, None, "it starts with a rebuild");
}
