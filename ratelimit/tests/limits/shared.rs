//! Tests the store that nodes share, in a real Postgres. Time is simulated by shifting the stored timestamps.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use lantern_ratelimit::{Action, ClientKey, Key, LimitRefusal, Limits, StoreError, system_clock};
use lantern_testing::TestDb;
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{
    oracle::{Log, MOST, WINDOW},
    support::{outcome, table, wait},
};

const MICROS: u64 = 1_000_000;

/// Two nodes over one database, each with its own connections.
struct Site {
    nodes: [Arc<Limits>; 2],
    db: TestDb,
    begun: Instant,
    /// Simulated seconds.
    moved: u64,
    _folder: tempfile::TempDir,
}

impl Site {
    async fn start() -> Self {
        let (db, folder) = (TestDb::create().await.unwrap(), tempfile::tempdir().unwrap());
        let other = lantern_catalog::connect(&db.url, 6).await.unwrap();
        let node = |name: &str, pool| {
            Arc::new(Limits::open_shared(&folder.path().join(name), &table(), &system_clock(), pool).unwrap())
        };
        let nodes = [node("a", db.pool.clone()), node("b", other)];
        Self { nodes, db, begun: Instant::now(), moved: 0, _folder: folder }
    }

    /// Lets time pass. Negative seconds set back the database's clock.
    async fn pass(&mut self, seconds: i64) {
        sqlx::query("update limit_slots set due = due - make_interval(secs => $1)")
            .bind(seconds as f64)
            .execute(&self.db.pool)
            .await
            .unwrap();
        self.moved += seconds.max(0).unsigned_abs();
    }

    /// Microseconds since the start.
    fn now(&self) -> u64 {
        self.moved * MICROS + u64::try_from(self.begun.elapsed().as_micros()).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_racing_for_the_last_slots_get_exactly_those() {
    let mut site = Site::start().await;
    let mut rng = StdRng::seed_from_u64(11);
    let mut log = Log::default();
    let key = Key::member(7);
    for round in 0..150 {
        site.pass(rng.random_range(1..WINDOW as i64)).await;
        let before = site.now();
        let free = (0..=MOST)
            .take_while(|_| {
                log.next(7, WINDOW * MICROS) <= before && {
                    log.accept(7, before);
                    true
                }
            })
            .count();
        let racing = rng.random_range(1..=10);
        let takers = (0..racing).map(|taker| {
            let node = Arc::clone(&site.nodes[taker % 2]);
            tokio::spawn(async move { outcome(node.take(Action::Comment, &key).await).is_ok() })
        });
        let accepted = join_all(takers).await.into_iter().filter(|joined| *joined.as_ref().unwrap()).count();
        assert_eq!(accepted, free.min(racing), "round {round}");
        (accepted..free).for_each(|_| log.give_back(7));
    }
    assert_eq!(log.overfull(WINDOW * MICROS), None);
}

#[tokio::test]
async fn random_attempts_on_two_nodes_never_exceed_the_limit() {
    let mut site = Site::start().await;
    let mut rng = StdRng::seed_from_u64(12);
    let (mut earliest, mut latest) = (Log::default(), Log::default());
    for _ in 0..4_000 {
        match rng.random_range(0..20) {
            0 => site.pass(rng.random_range(1..WINDOW as i64)).await,
            1 => site.pass(WINDOW as i64).await,
            2..8 => site.pass(rng.random_range(1..10)).await,
            8 if rng.random_ratio(1, 10) => {
                site.nodes[0].sweep().await.unwrap();
            }
            _ => {}
        }
        let (id, node) = (rng.random_range(0..4), &site.nodes[rng.random_range(0..2)]);
        let key = Key::member(id);
        let before = site.now();
        let answer = outcome(node.take(Action::Comment, &key).await);
        let after = site.now();
        match answer {
            Ok(_) => {
                // This must hold even if the attempts that fill the window happened as early as possible.
                assert!(earliest.next(id, WINDOW * MICROS) <= after, "too many");
                earliest.accept(id, before);
                latest.accept(id, after);
            }
            Err(wait) => {
                let next = latest.next(id, WINDOW * MICROS);
                assert!(next > before, "rejected with free slots");
                let wait = u64::try_from(wait.as_micros()).unwrap();
                assert!(before + wait <= next && after + wait >= earliest.next(id, WINDOW * MICROS), "wrong wait");
            }
        }
    }
}

#[tokio::test]
async fn clock_set_back_costs_at_most_one_window() {
    let mut site = Site::start().await;
    let (quick, quiet) = (Key::member(1), Key::member(2));
    for key in [&quick, &quiet] {
        for _ in 0..MOST {
            site.nodes[0].take(Action::Comment, key).await.unwrap();
        }
    }
    site.pass(-3600).await;
    let window = Duration::from_secs(WINDOW);
    let waits = wait(site.nodes[1].take(Action::Comment, &quick).await);
    assert_eq!(waits, window);
    site.nodes[0].sweep().await.unwrap();
    site.pass(WINDOW as i64 + 1).await;
    for key in [&quick, &quiet] {
        for _ in 0..MOST {
            site.nodes[1].take(Action::Comment, key).await.unwrap();
        }
        assert!(wait(site.nodes[0].peek(Action::Comment, key).await) <= window);
    }
}

#[tokio::test]
async fn bursts_and_rates_are_shared_too() {
    let mut site = Site::start().await;
    let key = Key::member(1);
    for n in 0..3 {
        site.nodes[n % 2].take(Action::Act, &key).await.unwrap();
    }
    let waits = wait(site.nodes[1].take(Action::Act, &key).await);
    assert!(waits > Duration::from_secs(90) && waits <= Duration::from_secs(100), "{waits:?}");
    site.pass(100).await;
    let taken = outcome(site.nodes[0].take(Action::Act, &key).await).unwrap();
    assert!(site.nodes[0].peek(Action::Act, &key).await.is_err());
    taken.give_back().await.unwrap();
    site.nodes[1].take(Action::Act, &key).await.unwrap();
    assert!(site.nodes[0].take(Action::Act, &key).await.is_err());
}

#[tokio::test]
async fn networks_are_shared_by_all_nodes() {
    let mut site = Site::start().await;
    let key = |net: u16| Key::client(&ClientKey::from(std::net::IpAddr::from([0x2001, 0xdb8, 1, net, 0, 0, 0, 1])));
    // Each address may make ten sign-ups per hour, and each /56 forty.
    let [a, b] = site.nodes.clone();
    for net in 0..19 {
        a.take(Action::Signup, &key(net)).await.unwrap();
        b.take(Action::Signup, &key(net)).await.unwrap();
    }
    let last = [a.take(Action::Signup, &key(19)).await.unwrap(), b.take(Action::Signup, &key(19)).await.unwrap()];
    assert!(wait(a.take(Action::Signup, &key(20)).await) <= Duration::from_secs(90));
    assert!(wait(b.take(Action::Signup, &key(21)).await) <= Duration::from_secs(90));
    a.take(Action::Signup, &key(0x100)).await.unwrap();
    for taken in last {
        taken.give_back().await.unwrap();
    }
    for net in [22, 23] {
        b.take(Action::Signup, &key(net)).await.unwrap();
    }
    assert!(a.take(Action::Signup, &key(24)).await.is_err(), "rejected attempts take no slot, returned ones are free");
    site.pass(90).await;
    a.take(Action::Signup, &key(24)).await.unwrap();
    assert!(b.take(Action::Signup, &key(25)).await.is_err());
}

#[tokio::test]
async fn slots_returned_or_cleared_by_one_node_are_free_for_the_other() {
    let mut site = Site::start().await;
    let [a, b] = site.nodes.clone();
    let key = Key::text("lena");
    let mut taken = Vec::new();
    for _ in 0..MOST {
        taken.push(outcome(a.take(Action::Comment, &key).await).unwrap());
    }
    assert!(b.peek(Action::Comment, &key).await.is_err());
    taken.pop().unwrap().give_back().await.unwrap();
    b.take(Action::Comment, &key).await.unwrap();
    assert!(a.take(Action::Comment, &key).await.is_err());
    // A slot that has been taken again in the meantime is not released.
    site.pass(WINDOW as i64 + 1).await;
    for _ in 0..MOST {
        b.take(Action::Comment, &key).await.unwrap();
    }
    taken.pop().unwrap().give_back().await.unwrap();
    assert!(a.take(Action::Comment, &key).await.is_err());
    a.clear(Action::Comment, &key).await.unwrap();
    for _ in 0..MOST {
        b.take(Action::Comment, &key).await.unwrap();
    }
}

#[tokio::test]
async fn idle_slots_are_swept_and_keys_counted() {
    let mut site = Site::start().await;
    for id in 0..10 {
        site.nodes[0].take(Action::Comment, &Key::member(id)).await.unwrap();
    }
    site.pass(300).await;
    site.nodes[0].take(Action::Comment, &Key::member(0)).await.unwrap();
    site.nodes[0].take(Action::Message, &Key::member(0)).await.unwrap();
    site.pass(320).await;
    assert_eq!(site.nodes[1].sweep().await.unwrap(), 10);
    assert_eq!(crate::support::tracked(&site.nodes[1], Action::Comment), 1);
    assert_eq!(crate::support::tracked(&site.nodes[1], Action::Message), 1);
    assert_eq!(crate::support::tracked(&site.nodes[1], Action::Signup), 0);
}

#[tokio::test]
async fn database_outage_lets_only_reads_through() {
    let site = Site::start().await;
    site.db.pool.close().await;
    let [node, _] = &site.nodes;
    for action in Action::ALL.into_iter().filter(|action| !action.is_read()) {
        let answer = node.take(action, &Key::text("lena")).await;
        assert!(matches!(answer, Err(LimitRefusal::Store(StoreError::Shared(_)))), "{action:?}");
        assert!(matches!(node.peek(action, &Key::text("lena")).await, Err(LimitRefusal::Store(_))), "{action:?}");
    }
    let client = std::net::IpAddr::from([192, 0, 2, 1]).into();
    node.check(Action::Search, client).unwrap();
}
