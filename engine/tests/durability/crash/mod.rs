//! Kills a process at random moments under mixed writes and looks at what it leaves.
//!
//! The test starts itself again as the process to be killed ([`child`]), which tells each request before it sends it and each
//! acknowledgement after it has it. After a kill the folder is opened here: every acknowledged task must be there, and
//! once the queue is empty, everything must be as in the [`model`], which applies the tasks in their order. Some kills are
//! followed by another process at once, so that opening and resuming are interrupted, too.
//!
//! `LANTERN_CRASH_KILLS` sets the number of kills (10), `LANTERN_CRASH_SEED` repeats a run.

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

/// Names the folder to the process that is to be killed.
const FOLDER: &str = "LANTERN_CRASH_FOLDER";
/// Its seed.
const SEED: &str = "LANTERN_CRASH_CHILD_SEED";
const NAME: &str = "crash::kills_lose_nothing";

fn crowded(path: &Path) -> EngineOptions {
    let mut options = options(path);
    // Small enough for maps to grow on the way.
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
        // A third of the processes start on what the one before left, unseen.
        if kill + 1 == kills || dice.roll(3) > 0 {
            runtime.block_on(look(folder.path(), &mut witness));
        }
    }
    println!("{kills} kills in {:?}: {}", started.elapsed(), witness.summary());
    assert!(witness.verified() > kills, "too few tasks to mean anything: {}", witness.summary());
}

/// Starts a process and kills it: while it starts, or after a number of acknowledgements and a little more.
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
    let mut heard = Vec::new();
    if dice.roll(4) == 0 {
        listen(&lines, &mut heard, Duration::from_micros(dice.roll(60_000)), usize::MAX);
    } else {
        let acknowledgements = 1 + usize::try_from(dice.roll(120)).unwrap();
        listen(&lines, &mut heard, Duration::from_secs(60), acknowledgements);
        listen(&lines, &mut heard, Duration::from_micros(dice.roll(20_000)), usize::MAX);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What it had told before the kill is still in the pipe.
    heard.extend(lines.iter());
    witness.hear(&heard, started..OffsetDateTime::now_utc());
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

/// Hears lines for `time` at most, or until there were so many acknowledgements.
fn listen(lines: &Receiver<String>, heard: &mut Vec<String>, time: Duration, mut acknowledgements: usize) {
    let until = Instant::now() + time;
    while acknowledgements > 0 {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                acknowledgements -= usize::from(line.starts_with("ACK"));
                heard.push(line);
            }
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => panic!("the process ended by itself: {heard:?}"),
        }
    }
}

/// Opens the folder, and compares: first the tasks, then, when they are done, what they did.
async fn look(folder: &Path, witness: &mut Witness) {
    let engine = Engine::open(crowded(folder)).unwrap();
    let raw = Raw::new(&engine);
    witness.check(&raw).await;
    engine.shutdown().await;
}
