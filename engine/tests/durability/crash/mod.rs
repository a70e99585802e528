//! Kills a process at random moments during mixed writes and checks what it leaves behind.
//!
//! The test restarts itself as the process to be killed ([`child`]), which reports each request before sending it and each acknowledgment
//! after receiving it. After a kill, this process opens the folder. Every acknowledged task must exist, and once the queue is empty,
//! everything must match the [`model`], which applies the tasks in order. Some kills are immediately followed by another process, so that
//! opening and resuming are interrupted too.
//!
//! `LANTERN_CRASH_KILLS` sets the number of kills (10 by default), and `LANTERN_CRASH_SEED` reproduces a run.

mod child;
mod model;
mod op;
mod witness;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lantern_engine::{Engine, EngineOptions};
use time::OffsetDateTime;

use crate::support::{Raw, options};
use op::Dice;
use witness::Witness;

/// Environment variable that passes the folder to the process to be killed.
const FOLDER: &str = "LANTERN_CRASH_FOLDER";
/// Environment variable that passes the seed to that process.
const SEED: &str = "LANTERN_CRASH_CHILD_SEED";
const NAME: &str = "crash::kills_lose_nothing";

fn crash_options(path: &Path) -> EngineOptions {
    let mut options = options(path);
    // This is small enough for maps to grow during the test.
    options.initial_map_size = 4 << 20;
    options.max_task_history = 1_000_000;
    options
}

#[test]
fn kills_lose_nothing() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().unwrap());
    if let Some(folder) = std::env::var_os(FOLDER) {
        return child::run(Path::new(&folder), number(SEED).unwrap());
    }
    let seed = number("LANTERN_CRASH_SEED").unwrap_or_else(|| u64::from(std::process::id()) * 7919);
    let kills = number("LANTERN_CRASH_KILLS").unwrap_or(10);
    println!("LANTERN_CRASH_SEED={seed} LANTERN_CRASH_KILLS={kills}");
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(seed);
    let mut witness = Witness::default();
    let started = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for kill in 0..kills {
        kill_one(folder.path(), &mut dice, &mut witness);
        // A third of the processes start without a check of what the previous one left behind.
        if kill + 1 == kills || dice.roll(3) > 0 {
            runtime.block_on(check_folder(folder.path(), &mut witness));
        }
    }
    println!("{kills} kills in {:?}: {}", started.elapsed(), witness.summary());
    assert!(witness.verified() > kills, "too few tasks for a meaningful result: {}", witness.summary());
}

/// Starts a process and kills it during startup or shortly after a number of acknowledgments.
fn kill_one(folder: &Path, dice: &mut Dice, witness: &mut Witness) {
    let started = OffsetDateTime::now_utc();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(FOLDER, folder)
        .env(SEED, dice.roll(u64::MAX).to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = lines(&mut child);
    let mut received = Vec::new();
    if dice.roll(4) == 0 {
        read_lines(&lines, &mut received, Duration::from_micros(dice.roll(60_000)), usize::MAX);
    } else {
        let acknowledgements = 1 + usize::try_from(dice.roll(120)).unwrap();
        read_lines(&lines, &mut received, Duration::from_secs(60), acknowledgements);
        read_lines(&lines, &mut received, Duration::from_micros(dice.roll(20_000)), usize::MAX);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Lines written before the kill are still in the pipe.
    received.extend(lines.iter());
    witness.record(&received, started..OffsetDateTime::now_utc());
}

fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Reads lines for at most `time`, or until the number of acknowledgments is reached.
fn read_lines(lines: &Receiver<String>, received: &mut Vec<String>, time: Duration, mut acknowledgements: usize) {
    let until = Instant::now() + time;
    while acknowledgements > 0 {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                acknowledgements -= usize::from(line.starts_with("ACK"));
                received.push(line);
            }
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => panic!("the process exited on its own: {received:?}"),
        }
    }
}

/// Opens the folder and compares first the tasks, then, once they are done, their effects.
async fn check_folder(folder: &Path, witness: &mut Witness) {
    let engine = Engine::open(crash_options(folder)).unwrap();
    let raw = Raw::new(&engine);
    witness.check(&raw).await;
    engine.shutdown().await;
}
