//! The queue: claims, retries and ends of jobs, and nodes of the previous version that share it.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use lantern_catalog::{
    Result,
    queue::{self, Counts, Job, Outcome, Queue, Retention, RetryPolicy, Round, Work},
};
use lantern_testing::TestDb;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use tokio_util::sync::CancellationToken;

/// Work whose attempts end as planned, and succeed after that.
#[derive(Default)]
struct Planned {
    outcomes: Mutex<Vec<Outcome>>,
    /// Payloads of the attempted jobs, by attempt.
    attempts: Mutex<Vec<Vec<i64>>>,
}

impl Planned {
    fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut outcomes: Vec<Outcome> = outcomes.into_iter().collect();
        outcomes.reverse();
        Self { outcomes: Mutex::new(outcomes), ..Self::default() }
    }

    fn attempts(&self) -> Vec<Vec<i64>> {
        std::mem::take(&mut self.attempts.lock().unwrap())
    }
}

impl Work for Planned {
    async fn attempt(&self, _: &Queue, jobs: &[Job], _: &CancellationToken) -> Result<Outcome> {
        let mut attempted: Vec<i64> = jobs.iter().map(|job| job.payload["n"].as_i64().unwrap()).collect();
        attempted.sort_unstable();
        self.attempts.lock().unwrap().push(attempted);
        Ok(self.outcomes.lock().unwrap().pop().unwrap_or(Outcome::Done))
    }
}

fn queue_of(pool: &PgPool) -> Queue {
    Queue {
        pool: pool.clone(),
        kind: "test",
        batch: 2,
        claims: usize::MAX,
        lease: Duration::from_secs(60),
        poll: Duration::from_secs(3600),
        retry: RetryPolicy { pauses: vec![Duration::from_secs(100)], ..RetryPolicy::default() },
        retention: Retention::Failed,
        counts: Counts::default(),
    }
}

async fn enqueued(jobs: i64) -> TestDb {
    let db = TestDb::create().await.unwrap();
    let mut conn = db.pool.acquire().await.unwrap();
    for n in 1..=jobs {
        queue::enqueue(&mut conn, "test", &json!({ "n": n })).await.unwrap();
    }
    db
}

async fn round(queue: &Queue, work: &Planned) -> Round {
    queue.round(work, &CancellationToken::new()).await.unwrap()
}

async fn number(pool: &PgPool, query: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(pool).await.unwrap()
}

async fn run(pool: &PgPool, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(pool).await.unwrap();
}

#[tokio::test]
async fn round_attempts_every_due_job_once_in_batches() {
    let db = enqueued(5).await;
    run(&db.pool, "update jobs set run_at = now() + interval '1 hour' where payload->>'n' = '4'").await;
    let (queue, work) = (queue_of(&db.pool), Planned::default());
    assert_eq!(round(&queue, &work).await, Round { claims: 2, done: 4 });
    assert_eq!(work.attempts(), [vec![1, 2], vec![3, 5]]);
    assert_eq!(number(&db.pool, "select count(*) from jobs").await, 1);
    assert_eq!(queue::waiting(&db.pool, "test").await.unwrap(), 1);
}

#[tokio::test]
async fn concurrent_claims_get_different_jobs_until_a_lease_expires() {
    let db = enqueued(4).await;
    let claim = async || {
        let mut conn = db.pool.acquire().await.unwrap();
        queue::claim(&mut conn, "test", 3, Duration::from_secs(60)).await.unwrap()
    };
    let (one, two) = tokio::join!(claim(), claim());
    let mut ids: Vec<i64> = one.iter().chain(&two).map(|job| job.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((one.len() + two.len(), ids.len()), (4, 4));
    assert!(claim().await.is_empty());
    run(&db.pool, "update jobs set claimed_until = now() - interval '1 second' where payload->>'n' = '2'").await;
    let again = claim().await;
    assert_eq!((again.len(), again[0].attempts, again[0].lost), (1, 2, 1));
}

#[tokio::test]
async fn failed_jobs_are_retried_after_their_pause_and_given_up_after_the_last_attempt() {
    let db = enqueued(2).await;
    let mut queue = queue_of(&db.pool);
    queue.retry.attempts = Some(2);
    let failed = || Outcome::Failed("it broke".to_owned());
    let work = Planned::new([failed(), failed()]);
    assert_eq!(round(&queue, &work).await, Round { claims: 1, done: 0 });
    let due = "select count(*) from jobs where state = 'queued' and attempts = 1 and last_error = 'it broke'
               and run_at between now() + interval '90 seconds' and now() + interval '100 seconds'";
    assert_eq!(number(&db.pool, due).await, 2);
    assert_eq!(round(&queue, &work).await.claims, 0, "it waits for its retry");
    run(&db.pool, "update jobs set run_at = now()").await;
    round(&queue, &work).await;
    let ended = "select count(*) from jobs where state = 'failed' and last_error = 'it broke' and payload = '{}'";
    assert_eq!(number(&db.pool, ended).await, 2);
    assert_eq!((queue.counts.delayed.get(), queue.counts.given_up.get()), (2, 2));
    let sizes = queue::sizes(&db.pool).await.unwrap();
    assert_eq!((sizes.len(), &*sizes[0].kind, sizes[0].waiting, sizes[0].failed), (1, "test", 0, 2));
}

#[tokio::test]
async fn outages_and_interruptions_do_not_count() {
    let db = enqueued(3).await;
    let mut queue = queue_of(&db.pool);
    queue.retry = RetryPolicy { attempts: Some(1), outage_pause: Some(Duration::ZERO), ..RetryPolicy::default() };
    let work = Planned::new([Outcome::Outage("no line".to_owned()), Outcome::Interrupted]);
    assert_eq!(round(&queue, &work).await.claims, 1, "the round ends");
    assert_eq!(number(&db.pool, "select count(*) from jobs where state = 'queued' and attempts = 0").await, 3);
    assert_eq!(round(&queue, &work).await.done, 3);
    assert_eq!(queue.counts.outages.get(), 1);
}

#[tokio::test]
async fn job_that_loses_its_holders_is_given_up() {
    let db = enqueued(2).await;
    let mut queue = queue_of(&db.pool);
    (queue.retry.losses, queue.retention) = (Some(2), Retention::All);
    run(
        &db.pool,
        "update jobs set state = 'running', claimed_until = now() - interval '1 second', lost = 1, last_error = 'it broke'
         where payload->>'n' = '1'",
    )
    .await;
    let work = Planned::default();
    assert_eq!(round(&queue, &work).await.done, 1);
    assert_eq!(work.attempts(), [[2]]);
    let why = "select count(*) from jobs where state = 'failed' and payload->>'n' = '1'
               and last_error = 'no worker completed it; last error: it broke'";
    assert_eq!(number(&db.pool, why).await, 1);
    assert_eq!(number(&db.pool, "select count(*) from jobs where state = 'done'").await, 1);
}

#[tokio::test]
async fn task_ends_at_shutdown_and_answers_flushes() {
    let db = enqueued(1).await;
    let (queue, work, stop) = (queue_of(&db.pool), Planned::default(), CancellationToken::new());
    let (signals, mut received) = queue::signals();
    let asking = async {
        signals.flush().await.unwrap();
        assert_eq!(number(&db.pool, "select count(*) from jobs").await, 0);
        queue::enqueue(&mut db.pool.acquire().await.unwrap(), "test", &json!({ "n": 2 })).await.unwrap();
        signals.flush().await.unwrap();
        assert_eq!(work.attempts(), [[1], [2]]);
        stop.cancel();
    };
    let started = Instant::now();
    tokio::join!(queue.run(&work, &stop, Some(&mut received)), asking);
    assert!(started.elapsed() < Duration::from_secs(60), "it doesn't wait for its poll");
    drop(received);
    assert!(signals.flush().await.is_err());
}

/// Statements of the previous version.
const OLD_CLAIM: &str =
    "with c as (update purges set attempts = attempts + 1, claimed_until = clock_timestamp() + interval '1 minute'
    where id in (select id from purges
                 where run_at <= clock_timestamp() and (claimed_until is null or claimed_until < clock_timestamp())
                 order by run_at, id limit 1 for update skip locked)
    returning id, tag) select count(*) from c";
const OLD_REMOVAL: &str = "with c as (update film_removals set due_at = now() + interval '2 minutes'
    where id = (select id from film_removals where due_at <= now() order by due_at, id limit 1 for update skip locked)
    returning id, media_key, sg_id) select count(*) from c";

#[tokio::test]
async fn nodes_of_the_previous_version_share_the_queue() {
    let db = TestDb::create().await.unwrap();
    let claim = async |kind: &str| {
        let mut conn = db.pool.acquire().await.unwrap();
        queue::claim(&mut conn, kind, 1, Duration::from_secs(60)).await.unwrap()
    };
    let old = async |query: &str| {
        let mut conn = db.pool.acquire().await.unwrap();
        sqlx::query_scalar::<_, i64>(AssertSqlSafe(query.to_owned())).fetch_one(&mut *conn).await.unwrap()
    };
    run(&db.pool, "update purge_switch set is_on = true; select purges_add(array['video-1', 'video-1', 'video-2'])")
        .await;
    assert_eq!(number(&db.pool, "select count(*) from purges").await, 2, "each tag once");
    assert_eq!((old(OLD_CLAIM).await, claim(queue::PURGE).await.len()), (1, 1));
    assert_eq!((old(OLD_CLAIM).await, claim(queue::PURGE).await.len()), (0, 0), "each has claimed one");
    run(&db.pool, "update purges set claimed_until = null, last_error = 'x', run_at = clock_timestamp()").await;
    assert_eq!((claim(queue::PURGE).await.len(), old(OLD_CLAIM).await), (1, 1));
    run(&db.pool, "delete from purges").await;

    run(&db.pool, "insert into film_removals (media_key, sg_id) values ('films/a', 1), ('films/b', 0)").await;
    assert_eq!((old(OLD_REMOVAL).await, claim(queue::FILM_REMOVAL).await.len()), (1, 1));
    assert_eq!((old(OLD_REMOVAL).await, claim(queue::FILM_REMOVAL).await.len()), (0, 0), "each has claimed one");
    run(&db.pool, "update film_removals set begun_at = coalesce(begun_at, now()) where media_key = 'films/b'").await;
    let begun = "select count(*) from jobs where payload ? 'begun_at' and payload->'group' = '0'";
    assert_eq!(number(&db.pool, begun).await, 1);
    run(&db.pool, "update film_removals set due_at = now() where media_key = 'films/b'").await;
    let claimed = claim(queue::FILM_REMOVAL).await;
    assert!(claimed[0].payload["key"] == "films/b" && !claimed[0].payload["begun_at"].is_null());
    run(&db.pool, "delete from film_removals where sg_id = 1 and begun_at is null").await;
    assert_eq!(number(&db.pool, "select count(*) from jobs").await, 1);
}

#[tokio::test]
async fn migration_moves_queued_purges_and_removals() {
    let db = TestDb::create().await.unwrap();
    run(&db.pool, "drop schema public cascade; create schema public").await;
    let all: Vec<_> = lantern_catalog::MIGRATIONS.iter().collect();
    for migration in all.iter().filter(|migration| migration.version < 82) {
        run(&db.pool, migration.sql.as_str()).await;
    }
    run(
        &db.pool,
        "update purge_switch set is_on = true;
         insert into purges (tag, attempts, last_error, claimed_until) values
             ('video-1', 3, 'refused', null), ('answers', 0, null, now() + interval '1 hour');
         insert into film_removals (media_key, sg_id, due_at, begun_at) values
             ('films/a', 2, now() + interval '1 hour', null), ('videos/b', 0, now(), now());
         insert into jobs (kind) values ('mail')",
    )
    .await;
    for migration in all.iter().filter(|migration| migration.version >= 82) {
        run(&db.pool, migration.sql.as_str()).await;
    }
    let jobs = "select string_agg(concat_ws(' ', kind, payload->>'tag', payload->>'key', payload->>'group', state, attempts, last_error,
        payload ? 'begun_at', run_at > now(), claimed_until > now()), ', ' order by kind, payload->>'tag', payload->>'key') from jobs";
    let jobs: String = sqlx::query_scalar(jobs).fetch_one(&db.pool).await.unwrap();
    assert_eq!(
        jobs,
        "film_removal films/a 2 queued 0 f t, film_removal videos/b 0 queued 0 t f, mail queued 0 f f, \
         purge answers running 0 f f t, purge video-1 queued 3 refused f f"
    );
    assert_eq!(number(&db.pool, "select count(*) from jobs where id <= 2").await, 1, "old ids match no moved row");
}
