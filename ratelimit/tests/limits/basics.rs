//! Tests the guarantees of the rate limits, using a simulated clock.

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
fn burst_passes_then_one_per_interval() {
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
fn production_exempts_loopback_from_no_action() {
    let table = Config::default().limits.of(Mode::Production);
    for action in Action::ALL {
        assert!(!action.policy(&table).exempts_loopback(), "{action:?}");
    }
}

#[test]
fn charged_units_are_refilled_over_time() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let afford = |last| limits.afford(Action::Compute, client(last));
    assert_eq!(afford(1), Ok(()), "nothing charged yet");
    limits.charge(Action::Compute, client(1), 999);
    assert_eq!(afford(1), Ok(()), "one is left");
    // The last computation costs more than the allowance that is left, which is known only afterwards.
    limits.charge(Action::Compute, client(1), 501);
    let wait = afford(1).expect_err("nothing left");
    assert_eq!(wait, RetryAfter(Duration::from_millis(5010)));
    assert_eq!((afford(2), limits.check(Action::Search, client(1))), (Ok(()), Ok(())), "counted apart");
    time.forward(5);
    assert!(afford(1).is_err());
    time.forward(1);
    assert_eq!(afford(1), Ok(()));
    time.forward(10);
    limits.charge(Action::Compute, client(1), 999);
    assert_eq!(afford(1), Ok(()), "unused allowance doesn't accumulate, debt expires");
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
fn loopback_is_exempt_where_the_policy_allows() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    let local = ClientKey::from(std::net::IpAddr::from([127, 0, 0, 1]));
    for _ in 0..100 {
        assert_eq!(limits.check(Action::Search, local), Ok(()));
    }
    assert_eq!(tracked(&limits, Action::Search), 0);
}

/// Address in subnet `n` of 2001:db8:1::/48.
fn subnet(n: u16) -> ClientKey {
    ClientKey::from(std::net::IpAddr::from([0x2001, 0xdb8, 1, n, 0, 0, 0, 1]))
}

#[test]
fn ipv6_networks_have_larger_but_finite_allowances() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    let limits = open(dir.path(), &time);
    let passed = |clients: &mut dyn Iterator<Item = u16>| {
        clients.filter(|n| limits.check(Action::Search, subnet(*n)).is_ok()).count()
    };
    // The limit is five per address, four times as many per /56, and sixteen times as many per /48.
    assert_eq!(passed(&mut [7; 9].into_iter()), 5);
    assert_eq!(passed(&mut (0..40)), 15);
    assert_eq!(passed(&mut (1..100).map(|n| n << 8)), 60);
    let figures = limits.figures().find(|row| row.action == Action::Search).expect("searches");
    assert_eq!((figures.accepted, figures.refused), (80, 4 + 25 + 39));
    let other = ClientKey::from(std::net::IpAddr::from([0x2001, 0xdb8, 2, 0, 0, 0, 0, 1]));
    assert_eq!(limits.check(Action::Search, other), Ok(()));
    // Every ten seconds, sixteen attempts are refilled for the /48, of which four are for one /56, of which one is for one /64.
    time.forward(10);
    assert_eq!(passed(&mut [7; 9].into_iter()), 1);
    assert_eq!(passed(&mut (0x30..0x80)), 3);
    assert_eq!(passed(&mut (1..100).map(|n| n << 8 | 1)), 12);
}

#[tokio::test]
async fn rejected_attempts_take_no_slot_and_returned_ones_are_free_in_every_network() {
    let dir = tempfile::tempdir().expect("folder");
    let limits = open(dir.path(), &FakeTime::new());
    // Ten sign-ups are allowed per address, and forty per /56.
    for n in 0..40 {
        limits.take(Action::Signup, &Key::client(&subnet(n))).await.expect("room");
    }
    for _ in 0..20 {
        let refused = limits.take(Action::Signup, &Key::client(&subnet(50))).await;
        assert_eq!(wait(refused), Duration::from_secs(90), "forty per hour");
        assert!(limits.peek(Action::Signup, &Key::client(&subnet(50))).await.is_err());
    }
    for n in 0..400 {
        let taken = limits.take(Action::Signup, &Key::client(&subnet(0x100 | n & 0xff))).await.expect("room");
        taken.give_back().await.expect("given back");
    }
    assert_eq!(tracked(&limits, Action::Signup), 43, "forty addresses, two /56 and a /48");
}

#[tokio::test]
async fn restart_loses_nothing() {
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
fn clock_set_back_an_hour_costs_one_interval() {
    let dir = tempfile::tempdir().expect("folder");
    let time = FakeTime::new();
    open(dir.path(), &time).check(Action::Search, client(1)).expect("first");
    time.back(3600);
    let limits = open(dir.path(), &time);
    exhaust(&limits, client(2));
    for _ in 0..4 {
        assert_eq!(limits.check(Action::Search, client(1)), Err(RetryAfter(Duration::from_secs(10))));
    }
    // The announced wait holds, and the client gets no more than a burst.
    time.forward(10);
    assert_eq!(limits.check(Action::Search, client(1)), Ok(()));
    assert!(limits.check(Action::Search, client(1)).is_err());
}

#[tokio::test]
async fn only_idle_keys_are_swept() {
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
fn concurrent_threads_get_exactly_one_burst() {
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
fn unreadable_store_is_moved_aside() {
    let dir = tempfile::tempdir().expect("folder");
    let path = dir.path().join("limits");
    std::fs::create_dir(&path).expect("folder");
    std::fs::write(path.join("conf"), b"not a sled configuration").expect("damage");
    std::fs::write(path.join("db"), b"nor a sled log").expect("damage");
    let limits = open(&path, &FakeTime::new());
    exhaust(&limits, client(1));
    let aside = dir.path().join(format!("limits.broken-{}", START / 1_000_000_000));
    assert!(aside.join("db").is_file(), "the damaged files are retained");
}

#[test]
fn store_in_use_is_left_untouched() {
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
async fn exact_policy_reports_when_the_first_slot_is_free() {
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
async fn returned_and_cleared_attempts_do_not_count() {
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
        limits.take(Action::Comment, &key).await.expect("cleared");
    }
    assert!(limits.take(Action::Comment, &key).await.is_err());
}
