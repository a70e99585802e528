//! Index files that are damaged while Lantern is stopped or killed. Afterwards, Lantern must start, serve, report the
//! damage, and be correct after one build.
//!
//! `LANTERN_DAMAGE_ROUNDS` sets the number of damages (4 by default, and 200 for the full test). `LANTERN_DAMAGE_SEED`
//! repeats a run.

use std::{
    fs,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lantern_testing::TestDb;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::node::Node;

/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);
const POLL_EVERY: Duration = Duration::from_millis(200);

/// Returns all index files in `folder` except locks, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.path().extension().is_some_and(|name| name == "mdb") && !entry.path().ends_with("lock.mdb") {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

fn damage(path: &Path, rng: &mut ChaCha8Rng) -> String {
    let file = fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    let at = rng.random_range(0..length);
    match rng.random_range(0..4) {
        0 => {
            let mut noise = vec![0; 65_536.min((length - at) as usize)];
            rng.fill_bytes(&mut noise);
            file.write_all_at(&noise, at).unwrap();
            format!("{} bytes at {at} of {length}", noise.len())
        }
        1 => {
            file.write_all_at(&[0; 4096], at / 4096 * 4096).unwrap();
            format!("the page at {at} of {length} zeroed")
        }
        2 => {
            file.set_len(at).unwrap();
            format!("cut from {length} to {at}")
        }
        _ => {
            fs::remove_file(path).unwrap();
            "removed".to_owned()
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_indexes_are_rebuilt_after_start() {
    let (seed, rounds) = (number("LANTERN_DAMAGE_SEED").unwrap_or(39), number("LANTERN_DAMAGE_ROUNDS").unwrap_or(4));
    println!("LANTERN_DAMAGE_SEED={seed} LANTERN_DAMAGE_ROUNDS={rounds}");
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql("drop schema public cascade; create schema public").execute(&db.pool).await.unwrap();
    let mut node = Node::on(&db.url, &[]);
    let listed = node.listed();
    assert!(!listed.is_empty());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..rounds {
        // In the first half of the rounds, Lantern is stopped cleanly, and checksums find all damage. After a kill,
        // pages are read.
        let in_order = round < rounds.div_ceil(2);
        if in_order {
            node.stop()
        } else {
            node.kill()
        }
        let index = node.folder().join("index");
        let live: Vec<PathBuf> =
            files(&index).into_iter().filter(|path| !path.starts_with(index.join("quarantine"))).collect();
        let victim = &live[rng.random_range(0..live.len())];
        let what = format!("round {round}: {}: {}", victim.display(), damage(victim, &mut rng));
        println!("{what}");
        node.start();
        let until = Instant::now() + TIMEOUT;
        loop {
            let output = node.command(&["verify"]).output().unwrap();
            if output.status.success() {
                break;
            }
            let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
            let repaired = in_order || node.command(&["verify", "--repair"]).output().is_ok();
            assert!(repaired && Instant::now() < until, "{what}\n{stdout}\n{}", node.log());
            std::thread::sleep(POLL_EVERY);
        }
        assert_eq!(node.listed(), listed, "{what}");
        if in_order {
            let status = node.command(&["status"]).output().unwrap();
            let stdout = String::from_utf8_lossy(&status.stdout);
            assert!(stdout.contains("Damaged index  "), "{what}: {stdout}");
        }
    }
    node.end();
}
