//! The process that will be killed.

use std::io::Write;
use std::path::Path;

use lantern_engine::Engine;

use super::crash_options;
use super::op::{Dice, Op, WRITERS};
use crate::support::Raw;

/// Writes until killed.
pub fn run(folder: &Path, seed: u64) {
    let engine = Engine::open(crash_options(folder)).unwrap();
    let raw = Raw::new(&engine);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let writers = (0..WRITERS).map(|writer| tokio::spawn(write(raw.clone(), writer, Dice::new(seed + writer))));
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
    });
}

async fn write(raw: Raw, writer: u64, mut dice: Dice) {
    for number in 0_u64.. {
        let op = Op::any(&mut dice, writer);
        report(&format!("TRY {writer}.{number} {}", serde_json::to_string(&op).unwrap()));
        let (method, path, body) = op.request();
        let (status, answer) = raw.call(method, &path, body.as_ref()).await;
        match answer["taskUid"].as_u64() {
            Some(uid) => {
                report(&format!("ACK {writer}.{number} {uid}"));
                // This keeps the queue short, so that the test needn't wait long for it.
                if dice.roll(8) == 0 {
                    raw.finished(uid).await;
                }
            }
            // This is the only kind of request that is refused if there is nothing to do.
            None if status == 404 => report(&format!("NO {writer}.{number}")),
            None => panic!("{op:?}: {status} {answer}"),
        }
    }
}

/// Writes each line with one call, so that lines sent before the kill are readable and only the last one can be incomplete.
fn report(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}
