use std::time::Duration;

use lantern_catalog::{
    outbox::{self, Entity},
    testdb::TestDb,
};
use sqlx::{Acquire, PgPool};

const LEASE: Duration = Duration::from_secs(30);

async fn mark(pool: &PgPool, entity: &str, id: i64) {
    sqlx::query("insert into outbox (entity, entity_id) values ($1, $2)")
        .bind(entity)
        .bind(id)
        .execute(pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn rows_of_one_object_are_claimed_as_one_and_acknowledged_by_id() {
    let db = TestDb::create().await.unwrap();
    for id in [7, 8, 7] {
        mark(&db.pool, "video", id).await;
    }
    let mut conn = db.pool.acquire().await.unwrap();
    let batch = outbox::claim(&mut conn, 10, LEASE).await.unwrap();
    let seen: Vec<_> = batch.iter().map(|c| (c.entity, c.entity_id, c.rows.len())).collect();
    assert_eq!(seen, [(Entity::Video, 7, 2), (Entity::Video, 8, 1)]);
    // A change after the claim is a row of its own and survives the acknowledgement.
    mark(&db.pool, "video", 7).await;
    assert_eq!(outbox::ack(&mut conn, &batch[0].rows).await.unwrap(), 2);
    let again = outbox::claim(&mut conn, 10, LEASE).await.unwrap();
    assert_eq!(again.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [7]);
}

#[tokio::test]
async fn two_claimers_never_share_a_row_and_never_wait() {
    let db = TestDb::create().await.unwrap();
    for id in 1..=10 {
        mark(&db.pool, "model", id).await;
    }
    let (mut a, mut b) = (db.pool.acquire().await.unwrap(), db.pool.acquire().await.unwrap());
    let mut open = a.begin().await.unwrap();
    let first = outbox::claim(&mut open, 6, LEASE).await.unwrap();
    // The first claim isn't committed: its rows are locked and must be skipped.
    let second = outbox::claim(&mut b, 10, LEASE).await.unwrap();
    open.commit().await.unwrap();
    assert_eq!((first.len(), second.len()), (6, 4));
    assert!(outbox::claim(&mut b, 10, LEASE).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_row_committed_late_with_a_lower_id_is_not_lost() {
    let db = TestDb::create().await.unwrap();
    let mut late = db.pool.begin().await.unwrap();
    sqlx::raw_sql("insert into outbox (entity, entity_id) values ('video', 1)").execute(&mut *late).await.unwrap();
    mark(&db.pool, "video", 2).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let early = outbox::claim(&mut conn, 10, LEASE).await.unwrap();
    assert_eq!(early.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [2]);
    outbox::ack(&mut conn, &early[0].rows).await.unwrap();
    late.commit().await.unwrap();
    let then = outbox::claim(&mut conn, 10, LEASE).await.unwrap();
    assert_eq!(then.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn a_lease_that_ends_or_is_released_frees_the_rows() {
    let db = TestDb::create().await.unwrap();
    mark(&db.pool, "album", 1).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let first = outbox::claim(&mut conn, 1, Duration::ZERO).await.unwrap();
    assert_eq!(first[0].attempts, 1);
    let second = outbox::claim(&mut conn, 1, LEASE).await.unwrap();
    assert_eq!(second[0].attempts, 2);
    assert!(outbox::claim(&mut conn, 1, LEASE).await.unwrap().is_empty());
    assert_eq!(outbox::release(&mut conn, &second[0].rows).await.unwrap(), 1);
    assert_eq!(outbox::claim(&mut conn, 1, LEASE).await.unwrap()[0].attempts, 3);
}

#[tokio::test]
async fn parked_rows_step_aside_with_a_reason_and_can_come_back() {
    let db = TestDb::create().await.unwrap();
    mark(&db.pool, "user", 1).await;
    mark(&db.pool, "user", 2).await;
    let mut conn = db.pool.acquire().await.unwrap();
    let batch = outbox::claim(&mut conn, 10, Duration::ZERO).await.unwrap();
    outbox::park(&mut conn, &batch[0].rows, "too strange").await.unwrap();
    let next = outbox::claim(&mut conn, 10, Duration::ZERO).await.unwrap();
    assert_eq!(next.iter().map(|c| c.entity_id).collect::<Vec<_>>(), [2]);
    let lag = outbox::lag(&mut conn).await.unwrap();
    assert_eq!((lag.waiting, lag.parked), (1, 1));
    assert_eq!(outbox::unpark(&mut conn).await.unwrap(), 1);
    assert_eq!(outbox::lag(&mut conn).await.unwrap().waiting, 2);
}

#[tokio::test]
async fn lag_is_the_age_of_the_oldest_row() {
    let db = TestDb::create().await.unwrap();
    let mut conn = db.pool.acquire().await.unwrap();
    assert_eq!(outbox::lag(&mut conn).await.unwrap().oldest, Duration::ZERO);
    mark(&db.pool, "user", 1).await;
    sqlx::raw_sql("update outbox set created_at = now() - interval '90 seconds'").execute(&db.pool).await.unwrap();
    let oldest = outbox::lag(&mut conn).await.unwrap().oldest;
    assert!((89..92).contains(&oldest.as_secs()), "{oldest:?}");
}
