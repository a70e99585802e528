//! Tests a full disk, which is simulated by running this test in a child process with a file size limit.

use std::process::Command;

use lantern_ratelimit::{Action, ClientKey, Key, LimitRefusal};

use crate::support::{FakeTime, open};

/// Environment variable for the child process with the folder of its store.
const FOLDER: &str = "LANTERN_TEST_FULL_DISK";
/// File size limit for the child process in kilobytes. It is more than sled needs to start, but less than the attempts need.
const MOST_KB: u32 = 3_000;

#[test]
fn full_disk_lets_only_reads_through() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(fill(folder.as_ref()));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Without the trap, the kernel kills the process instead of failing the write. ulimit counts half kilobytes.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" --exact \"$1\" --nocapture", MOST_KB * 2);
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .arg("failing::full_disk_lets_only_reads_through")
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

async fn fill(folder: &std::path::Path) {
    let limits = open(&folder.join("limits"), &FakeTime::new());
    let mut accepted = 0;
    let refusal = loop {
        match limits.take(Action::LoginAccount, &Key::member(accepted)).await {
            Ok(_) => accepted += 1,
            Err(refusal) => break refusal,
        }
        assert!(accepted < 1_000_000, "the disk never filled up");
    };
    assert!(accepted > 100, "too few attempts accepted before the disk was full: {accepted}");
    assert!(matches!(refusal, LimitRefusal::Store(_)), "{refusal}");
    for action in Action::ALL.into_iter().filter(|action| !action.is_read()) {
        let key = Key::text("lena");
        if let Ok(taken) = limits.take(action, &key).await {
            // Inexact attempts are counted in memory first.
            drop(taken);
            assert!(matches!(action, Action::Act | Action::GuestVote | Action::Captcha), "{action:?}");
        }
    }
    limits.check(Action::Search, ClientKey::from(std::net::IpAddr::from([192, 0, 2, 1]))).unwrap();
}
