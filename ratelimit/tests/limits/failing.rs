//! A disk that takes no more. The process that meets it is a copy of this test with a limit on the size of files.

use std::process::Command;

use lantern_ratelimit::{Action, ClientKey, Key, LimitRefusal};

use crate::support::{FakeTime, open};

/// Set in the copy: the folder of its store.
const FOLDER: &str = "LANTERN_TEST_FULL_DISK";
/// Kilobytes a file may grow to in the copy: more than sled needs to start, less than the attempts need.
const MOST_KB: u32 = 3_000;

#[test]
fn with_a_full_disk_nothing_passes_but_reads() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(fill(folder.as_ref()));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Without the trap the kernel would end the process instead of refusing the write. ulimit counts half kilobytes.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" --exact \"$1\" --nocapture", MOST_KB * 2);
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .arg("failing::with_a_full_disk_nothing_passes_but_reads")
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
        assert!(accepted < 1_000_000, "the disk was never full");
    };
    assert!(accepted > 100, "it worked at first: {accepted}");
    assert!(matches!(refusal, LimitRefusal::Store(_)), "{refusal}");
    for action in Action::ALL.into_iter().filter(|action| !action.is_read()) {
        let key = Key::text("lena");
        if let Ok(taken) = limits.take(action, &key).await {
            // What is not exact is counted in memory first.
            drop(taken);
            assert!(matches!(action, Action::Act | Action::GuestVote | Action::Captcha), "{action:?}");
        }
    }
    limits.check(Action::Search, ClientKey::from(std::net::IpAddr::from([192, 0, 2, 1]))).unwrap();
}
