//! Compares a million random attempts with the oracle, on a node with restarts, kills and wall-clock changes.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use lantern_ratelimit::{Action, AnchoredClock, Key, Limits, TimeSource};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    oracle::{Log, MOST, WINDOW},
    support::{SECOND, START, copy_folder, outcome, table},
};

const ATTEMPTS: usize = 1_000_000;
const KEYS: i64 = 8;
const NANOS: u64 = WINDOW * SECOND;

/// Simulated machine with a monotonic clock, a wall clock and a disk.
struct Machine {
    rng: ChaCha8Rng,
    folder: tempfile::TempDir,
    store: PathBuf,
    copies: u32,
    uptime: Arc<AtomicU64>,
    wall: u64,
    limits: Option<Limits>,
    /// Time of the last durable answer. If the wall clock was set back, the node's clock resumes from here at a restart.
    latest: u64,
    /// Reading of the node's clock at its start, and the uptime at that time.
    anchor: (u64, u64),
    /// Accepted attempts, by the node's clock and by the actual time as far as it can be known.
    promised: Log,
    passed: Log,
    skipped: u64,
}

impl Machine {
    fn start(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut machine = Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            store: folder.path().join("limits-0"),
            folder,
            copies: 0,
            uptime: Arc::default(),
            wall: START,
            limits: None,
            latest: START,
            anchor: (START, 0),
            promised: Log::default(),
            passed: Log::default(),
            skipped: 0,
        };
        machine.boot();
        machine
    }

    fn uptime(&self) -> u64 {
        self.uptime.load(Ordering::SeqCst)
    }

    /// Returns the reading of the node's clock.
    fn now(&self) -> u64 {
        self.anchor.0 + self.uptime() - self.anchor.1
    }

    /// Returns the run time plus the downtime, as far as the wall clock shows it.
    fn time_passed(&self) -> u64 {
        self.uptime() + self.skipped
    }

    fn sleep(&mut self, nanos: u64) {
        self.uptime.fetch_add(nanos, Ordering::SeqCst);
        self.wall += nanos;
    }

    fn boot(&mut self) {
        let (uptime, begun) = (Arc::clone(&self.uptime), self.uptime());
        let elapsed = move || Duration::from_nanos(uptime.load(Ordering::SeqCst) - begun);
        let clock: Arc<dyn TimeSource> = Arc::new(AnchoredClock::new(self.wall, elapsed));
        self.skipped += self.wall.saturating_sub(self.now());
        self.anchor = (self.wall.max(self.latest), begun);
        self.limits = Some(Limits::open(&self.store, &table(), &clock).unwrap());
    }

    fn restart(&mut self) {
        self.limits = None;
        self.boot();
    }

    /// Simulates `kill -9`, after which only the files in their state at the last answer remain.
    fn kill(&mut self) {
        self.copies += 1;
        let copy = self.folder.path().join(format!("limits-{}", self.copies));
        copy_folder(&self.store, &copy);
        self.limits = None;
        std::fs::remove_dir_all(&self.store).unwrap();
        self.store = copy;
        self.boot();
    }

    fn set_wall_clock(&mut self) {
        let step = self.rng.random_range(0..3 * NANOS);
        self.wall = if self.rng.random() { self.wall + step } else { self.wall - step };
    }

    async fn attempt(&mut self, key: i64) {
        let (now, next) = (self.now(), self.promised.next(key, NANOS));
        let limits = self.limits.as_ref().unwrap();
        let expected = if next <= now { Ok(()) } else { Err(Duration::from_nanos(next - now)) };
        let peeked = limits.peek(Action::Comment, &Key::member(key)).await.is_ok();
        let answer = outcome(limits.take(Action::Comment, &Key::member(key)).await);
        assert_eq!(answer.as_ref().map(|_| ()).map_err(|wait| *wait), expected, "at {now}");
        assert_eq!(peeked, expected.is_ok());
        let Ok(taken) = answer else { return };
        if self.rng.random_ratio(1, 20) {
            taken.give_back().await.unwrap();
            self.latest = now;
            return;
        }
        self.accept(key);
    }

    fn accept(&mut self, key: i64) {
        self.latest = self.now();
        self.promised.accept(key, self.latest);
        self.passed.accept(key, self.time_passed());
    }

    /// Checks that after ten idle minutes, a key gets exactly five attempts at once.
    async fn quiet_then_five_at_once(&mut self) {
        self.sleep(NANOS);
        let key = self.rng.random_range(0..KEYS);
        for n in 0..=MOST {
            assert_eq!(self.promised.next(key, NANOS) <= self.now(), n < MOST);
            let limits = self.limits.as_ref().unwrap();
            let accepted = limits.take(Action::Comment, &Key::member(key)).await.is_ok();
            assert_eq!(accepted, n < MOST);
            if accepted {
                self.accept(key);
            }
        }
    }

    async fn step(&mut self) {
        let key = self.rng.random_range(0..KEYS);
        match self.rng.random_range(0..100_000) {
            0..20 => self.restart(),
            20..40 => self.kill(),
            40..80 => self.set_wall_clock(),
            80..140 => self.quiet_then_five_at_once().await,
            140..180 => {
                self.limits.as_ref().unwrap().sweep().await.unwrap();
                self.latest = self.now();
            }
            // The next attempt is exactly at the end of a window, or a nanosecond before it.
            180..400 => {
                let wait = self.promised.next(key, NANOS).saturating_sub(self.now());
                let early = self.rng.random_range(0..2);
                self.sleep(wait.saturating_sub(early));
            }
            // Several attempts occur at the same time.
            400..50_000 => {}
            _ => {
                let nap = self.rng.random_range(0..SECOND);
                self.sleep(nap);
            }
        }
        self.attempt(key).await;
    }
}

#[tokio::test]
async fn million_attempts_respect_limit_across_restarts_kills_and_clock_changes() {
    let mut machine = Machine::start(5);
    for _ in 0..ATTEMPTS {
        machine.step().await;
    }
    assert_eq!(machine.passed.overfull(NANOS), None);
    assert!(machine.copies > 100, "too few kills");
}
