//! What the limits promise, told with a clock of our own.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use lantern_config::{Config, Mode};
use lantern_ratelimit::{Action, ClientKey, Key, LimitRefusal, Limits, OpenError, RetryAfter, TimeSource};

use crate::support::{FakeTime, START, open, table, tracked, wait};

fn client(last: u8) -> ClientKey {
    ClientKey::from(std::net::IpAddr::from([192, 0, 2, last]))
}

fn exhaust(limits: &Limits, key: ClientKey) {
    for _ in 0..5 {
        assert_eq!(limits.check(Action::Search, key), Ok(()));
    }
}

#[test]
fn a_burst_passes_then_one_per_interval() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    exhaust(&limits, client(1));
    let refused = limits.check(Action::Search, client(1));
    assert_eq!(refused, Err(RetryAfter(Duration::from_secs(10))));
    time.forward(9);
    let refused = limits.check(Action::Search, client(1)).expect_err("too soon");
    assert_eq!(refused.seconds(), 1);
    time.forward(1);
    assert_eq!(limits.check(Action::Search, client(1)), Ok(()));
    assert!(limits.check(Action::Search, client(1)).is_err());
    time.forward(50);
    exhaust(&limits, client(1));
}

#[test]
fn in_production_no_action_exempts_the_machine_itself() {
    let table = Config::default().limits.of(Mode::Production);
    for action in Action::ALL {
        assert!(!action.policy(&table).exempts_loopback(), "{action:?}");
    }
}

#[test]
fn what_was_charged_is_paid_back_by_the_clock() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let afford = |last| limits.afford(Action::Compute, client(last));
    assert_eq!(afford(1), Ok(()), "nobody owes anything");
    limits.charge(Action::Compute, client(1), 999);
    assert_eq!(afford(1), Ok(()), "one is left");
    // The last one costs more than is left: it was done already.
    limits.charge(Action::Compute, client(1), 501);
    let wait = afford(1).expect_err("all is gone");
    assert_eq!(wait, RetryAfter(Duration::from_millis(5010)));
    assert_eq!((afford(2), limits.check(Action::Search, client(1))), (Ok(()), Ok(())), "counted apart");
    time.forward(5);
    assert!(afford(1).is_err());
    time.forward(1);
    assert_eq!(afford(1), Ok(()));
    time.forward(10);
    limits.charge(Action::Compute, client(1), 999);
    assert_eq!(afford(1), Ok(()), "what was not used doesn't pile up, what was owed is forgotten");
    assert_eq!(tracked(&limits, Action::Compute), 1);
}

#[test]
fn clients_and_actions_are_counted_apart() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    exhaust(&limits, client(1));
    assert!(limits.check(Action::Search, client(1)).is_err());
    assert_eq!(limits.check(Action::Search, client(2)), Ok(()));
    assert_eq!(limits.check(Action::Suggest, client(1)), Ok(()));
    assert_eq!(limits.check(Action::Suggest, client(1)), Ok(()));
    assert!(limits.check(Action::Suggest, client(1)).is_err());
}

#[test]
fn the_machine_itself_is_exempt_where_the_policy_says_so() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    let local = ClientKey::from(std::net::IpAddr::from([127, 0, 0, 1]));
    for _ in 0..100 {
        assert_eq!(limits.check(Action::Search, local), Ok(()));
    }
    assert_eq!(tracked(&limits, Action::Search), 0);
}

/// In 2001:db8:1::/48.
fn subnet(n: u16) -> ClientKey {
    ClientKey::from(std::net::IpAddr::from([0x2001, 0xdb8, 1, n, 0, 0, 0, 1]))
}

#[test]
fn an_ipv6_network_may_do_more_than_an_address_but_not_without_end() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let passed = |clients: &mut dyn Iterator<Item = u16>| {
        clients.filter(|n| limits.check(Action::Search, subnet(*n)).is_ok()).count()
    };
    // Five of an address, four times as many of its /56, sixteen times as many of its /48.
    assert_eq!(passed(&mut [7; 9].into_iter()), 5);
    assert_eq!(passed(&mut (0..40)), 15);
    assert_eq!(passed(&mut (1..100).map(|n| n << 8)), 60);
    let figures = limits.figures().find(|row| row.action == Action::Search).expect("searches");
    assert_eq!((figures.accepted, figures.refused), (80, 4 + 25 + 39));
    let other = ClientKey::from(std::net::IpAddr::from([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1]));
    assert_eq!(limits.check(Action::Search, other), Ok(()));
    // Each comes back at its own pace: the /48 sixteen every ten seconds, four of them in one /56, one of them in one /64.
    time.forward(10);
    assert_eq!(passed(&mut [7; 9].into_iter()), 1);
    assert_eq!(passed(&mut (0x30..0x80)), 3);
    assert_eq!(passed(&mut (1..100).map(|n| n << 8 | 1)), 12);
}

#[tokio::test]
async fn what_a_network_is_refused_takes_no_place_and_what_is_given_back_is_free_everywhere() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    // Signing up: ten of an address, forty of a /56.
    for n in 0..40 {
        limits.take(Action::Signup, &Key::client(&subnet(n))).await.expect("room");
    }
    for _ in 0..20 {
        let refused = limits.take(Action::Signup, &Key::client(&subnet(50))).await;
        assert_eq!(wait(refused), Duration::from_secs(90), "forty an hour");
        assert!(limits.peek(Action::Signup, &Key::client(&subnet(50))).await.is_err());
    }
    for n in 0..400 {
        let taken = limits.take(Action::Signup, &Key::client(&subnet(0x100 | n & 0xff))).await.expect("room");
        taken.give_back().await.expect("given back");
    }
    assert_eq!(tracked(&limits, Action::Signup), 43, "forty addresses, two /56 and a /48");
}

#[tokio::test]
async fn a_restart_forgets_nothing() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    {
        let limits = open(dir.path(), &time);
        exhaust(&limits, client(1));
        limits.flush().await.expect("flush");
    }
    time.forward(4);
    let limits = open(dir.path(), &time);
    let refused = limits.check(Action::Search, client(1));
    assert_eq!(refused, Err(RetryAfter(Duration::from_secs(6))));
    time.forward(6);
    assert_eq!(limits.check(Action::Search, client(1)), Ok(()));
}

#[test]
fn a_clock_set_back_an_hour_costs_one_interval_not_an_hour() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    open(dir.path(), &time).check(Action::Search, client(1)).expect("first");
    time.back(3600);
    let limits = open(dir.path(), &time);
    exhaust(&limits, client(2));
    for _ in 0..4 {
        assert_eq!(limits.check(Action::Search, client(1)), Err(RetryAfter(Duration::from_secs(10))));
    }
    // The wait that was promised is kept, and nobody gets more than a burst out of it.
    time.forward(10);
    assert_eq!(limits.check(Action::Search, client(1)), Ok(()));
    assert!(limits.check(Action::Search, client(1)).is_err());
}

#[tokio::test]
async fn keys_at_rest_are_swept_and_no_others() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    for last in 0..10 {
        limits.check(Action::Search, client(last)).expect("first");
    }
    exhaust(&limits, client(100));
    assert_eq!(tracked(&limits, Action::Search), 11);
    time.forward(20);
    assert_eq!(limits.sweep().await.expect("sweep"), 10);
    assert_eq!(tracked(&limits, Action::Search), 1);
    time.forward(40);
    assert_eq!(limits.sweep().await.expect("sweep"), 1);
    assert_eq!(tracked(&limits, Action::Search), 0);
}

#[test]
fn many_threads_together_get_exactly_one_burst() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    let passed = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let allowed = limits.check(Action::Search, client(1)).is_ok();
                    passed.fetch_add(usize::from(allowed), Ordering::SeqCst);
                }
            });
        }
    });
    assert_eq!(passed.into_inner(), 5);
}

#[test]
fn a_store_that_cannot_be_opened_is_set_aside() {
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("limits");
    std::fs::create_dir(&path).expect("folder");
    std::fs::write(path.join("conf"), b"not a sled configuration").expect("damage");
    std::fs::write(path.join("db"), b"nor a sled log").expect("damage");
    let limits = open(&path, &FakeTime::new());
    exhaust(&limits, client(1));
    let aside = dir.path().join(format!("limits.broken-{}", START / 1_000_000_000));
    assert!(aside.join("db").is_file(), "the broken files are kept");
}

#[test]
fn a_store_in_use_is_left_alone() {
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("limits");
    let time = FakeTime::new();
    let first = open(&path, &time);
    let other: Arc<dyn TimeSource> = FakeTime::new();
    let second = Limits::open(&path, &table(), &other);
    assert!(matches!(second, Err(OpenError::InUse { .. })));
    exhaust(&first, client(1));
    assert!(path.is_dir());
}

#[tokio::test]
async fn an_exact_policy_says_when_the_first_slot_is_free_again() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let key = Key::member(7);
    for _ in 0..5 {
        limits.peek(Action::Comment, &key).await.expect("room");
        limits.take(Action::Comment, &key).await.expect("room");
        time.forward(60);
    }
    assert_eq!(wait(limits.take(Action::Comment, &key).await), Duration::from_secs(300));
    let peeked = limits.peek(Action::Comment, &key).await;
    assert!(matches!(peeked, Err(LimitRefusal::Wait(RetryAfter(wait))) if wait == Duration::from_secs(300)));
    limits.take(Action::Comment, &Key::member(8)).await.expect("another member");
    time.forward(300);
    limits.take(Action::Comment, &key).await.expect("the first slot is free");
    assert_eq!(wait(limits.take(Action::Comment, &key).await), Duration::from_secs(60));
}

#[tokio::test]
async fn what_is_given_back_or_cleared_does_not_count() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let key = Key::text("lena");
    for _ in 0..4 {
        limits.take(Action::Comment, &key).await.expect("room");
        time.forward(1);
    }
    let last = limits.take(Action::Comment, &key).await.expect("room");
    time.forward(1);
    assert_eq!(wait(limits.take(Action::Comment, &key).await), Duration::from_secs(595));
    last.give_back().await.expect("given back");
    limits.take(Action::Comment, &key).await.expect("room again");
    assert_eq!(wait(limits.take(Action::Comment, &key).await), Duration::from_secs(595));
    limits.clear(Action::Comment, &key).await.expect("cleared");
    assert_eq!(tracked(&limits, Action::Comment), 0);
    for _ in 0..5 {
        limits.take(Action::Comment, &key).await.expect("a fresh start");
    }
    assert!(limits.take(Action::Comment, &key).await.is_err());
}
