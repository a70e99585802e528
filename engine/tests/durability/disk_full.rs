//! Tests that if the disk is full, writes fail with an error, no acknowledged write is lost, reads continue, and writes resume once there
//! is space.
//!
//! The test restarts itself on a small disk. This is a tmpfs in a separate mount namespace, which root can create, and other users where
//! the system allows it. Otherwise the test restarts itself under a file size limit, which LMDB sees as the same write failure.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use lantern_engine::Engine;
use serde_json::{Value, json};

use crate::support::{Raw, connect, documents, options, prepared, succeed, total};

/// Environment variable that passes the folder to the restarted test.
const FOLDER: &str = "LANTERN_SMALL_DISK";
/// Environment variable that is set if space cannot be freed.
const FIXED: &str = "LANTERN_SMALL_FILES";
const NAME: &str = "disk_full::full_disk_is_reported";
const STARTED: &str = "on the small disk";

const TMPFS: &str = r#"mount -t tmpfs -o size=96m tmpfs "$LANTERN_SMALL_DISK" && exec "$0" --exact "$1" --nocapture"#;
/// The limit is 24 MiB in blocks of 512 bytes. The signal for larger files is ignored, so that the write fails instead.
const LIMIT: &str = r#"trap '' XFSZ; ulimit -f 49152; LANTERN_SMALL_FILES=1 exec "$0" --exact "$1" --nocapture"#;

#[test]
fn full_disk_is_reported() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        return runtime.block_on(fill(Path::new(&folder)));
    }
    let forms: [(&str, &[&str]); 3] = [
        ("tmpfs as root", &["unshare", "--mount", "sh", "-c", TMPFS]),
        ("tmpfs in a user namespace", &["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", TMPFS]),
        ("file size limit", &["sh", "-c", LIMIT]),
    ];
    for (form, command) in forms {
        let folder = tempfile::tempdir().unwrap();
        let Some(output) = run(command, folder.path()) else { continue };
        let said = String::from_utf8_lossy(&output.stdout);
        if !said.contains(STARTED) {
            println!("not possible here: {form}");
            continue;
        }
        println!("{form}: {said}");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    panic!("no form of this test can run here");
}

fn run(command: &[&str], folder: &Path) -> Option<Output> {
    let mut child = Command::new(command[0]);
    child.args(&command[1..]).arg(std::env::current_exe().unwrap()).arg(NAME).env(FOLDER, folder);
    match child.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("not possible here: {}: {error}", command[0]);
            None
        }
    }
}

fn fixed() -> bool {
    std::env::var_os(FIXED).is_some()
}

/// Writes batches until `enough` of them have failed on the full disk. Returns the number of documents written and the number of batches
/// refused on arrival.
async fn crowd(raw: &Raw, first: u64, enough: usize) -> (u64, usize) {
    let (mut written, mut refused, mut failed) = (0, 0, 0);
    for batch in 0..200 {
        let some = Value::from(documents(first + batch * 500..first + (batch + 1) * 500));
        let (status, answer) = raw.call("POST", "/indexes/films/documents", Some(&some)).await;
        if status != 202 {
            assert_eq!(answer["code"], "no_space_left_on_device", "{status}: {answer}");
            refused += 1;
        } else {
            let task = raw.finished(answer["taskUid"].as_u64().unwrap()).await;
            match task["status"].as_str() {
                Some("succeeded") => written += 500,
                _ => {
                    // LMDB reports a truncated write as a device error. In this form of the test, the disk itself isn't full.
                    let cut = fixed() && task["error"]["code"] == "io_error";
                    assert!(cut || task["error"]["code"] == "no_space_left_on_device", "{task}");
                    failed += 1;
                }
            }
        }
        if refused + failed >= enough {
            println!("{written} documents written, {failed} tasks failed, {refused} refused");
            return (written, refused);
        }
    }
    panic!("the disk never filled up");
}

async fn fill(folder: &Path) {
    println!("{STARTED}");
    let (data, ballast) = (folder.join("engine"), folder.join("ballast"));
    let engine = Engine::open(options(&data)).unwrap();
    let (client, raw) = (connect(&engine), Raw::new(&engine));
    let index = prepared(&client, "films", 1000).await;
    let fixed = fixed();
    let mut count = 1000;
    if !fixed {
        fill_disk_leaving(&ballast, 6 << 20);
    }
    let (written, _) = crowd(&raw, 10_000, 3).await;
    count += written;
    assert_eq!(total(&index).await as u64, count);
    let found = index.search().with_query("lanterns").with_page(1).execute::<Value>().await.unwrap();
    assert!(found.total_hits.unwrap() > 0);

    if !fixed {
        // The disk is completely full. Writes that still fit into free pages of the queue wait for space.
        fill_disk_leaving(&ballast, 0);
        let mut waiting = Vec::new();
        for id in 0..20 {
            let write = json!([{ "id": 500_000 + id, "title": "Waiting for room" }]);
            let (status, answer) = raw.call("POST", "/indexes/films/documents", Some(&write)).await;
            assert!(status == 202 || answer["code"] == "no_space_left_on_device", "{status}: {answer}");
            waiting.extend(answer["taskUid"].as_u64());
        }
        assert!(index.search().with_query("lanterns").execute::<Value>().await.is_ok());
        fs::remove_file(&ballast).unwrap();
        let mut went_in = 0;
        for uid in &waiting {
            let task = raw.finished(*uid).await;
            let full = task["error"]["code"] == "no_space_left_on_device";
            assert!(task["status"] == "succeeded" || full, "{task}");
            went_in += u64::from(!full);
        }
        println!("with no byte left, {} of 20 were accepted and {went_in} written, without a restart", waiting.len());
        count += went_in;
        succeed(&client, index.add_documents(&documents(600_000..600_500), None).await).await;
        count += 500;
    }
    assert_eq!(total(&index).await as u64, count);
    engine.shutdown().await;
    let engine = Engine::open(options(&data)).unwrap();
    assert_eq!(total(&connect(&engine).index("films")).await as u64, count);
}

/// Fills the file system except for `free` bytes.
fn fill_disk_leaving(ballast: &Path, free: u64) {
    let mut file = fs::File::options().create(true).append(true).open(ballast).unwrap();
    let block = vec![1; 1 << 16];
    while file.write_all(&block).is_ok() {}
    let size = file.metadata().unwrap().len();
    file.set_len(size - free).unwrap();
}
