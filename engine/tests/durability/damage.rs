//! A damaged folder is an error that names it; nothing is removed, and with the damage mended everything is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lantern_engine::Engine;

use crate::support::{connect, options, prepared, total};

/// Every file below `folder` with its length.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path(), entry.metadata().unwrap().len());
        }
    }
    found
}

/// A closed engine's folder with the indexes `a` (400 documents) and `b`.
async fn closed() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    prepared(&client, "a", 400).await;
    let before: Vec<PathBuf> = files(&folder.path().join("indexes")).into_keys().collect();
    prepared(&client, "b", 20).await;
    engine.shutdown().await;
    let of_a = before.iter().find(|path| path.ends_with("data.mdb")).unwrap().parent().unwrap().to_owned();
    (folder, of_a)
}

/// Damages `path` (a file or a folder), sees the start refused, mends it and sees everything there.
async fn refused(path: &Path, folder: &Path, says: &str, damage: impl FnOnce(&Path)) {
    let kept = folder.with_extension("kept");
    fs::rename(path, &kept).unwrap();
    if kept.is_file() {
        fs::copy(&kept, path).unwrap();
    }
    damage(path);
    let before = files(folder);
    let error = Engine::open(options(folder)).err().expect("the damage went unnoticed").to_string();
    let named = if kept.is_file() { path.parent().unwrap() } else { path };
    assert!(error.contains(named.to_str().unwrap()) && error.contains(says), "{error}");
    assert!(error.contains("move the whole search folder away") || error.contains("around it away"), "{error}");
    let mut after = files(folder);
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before);

    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    }
    fs::rename(&kept, path).unwrap();
    let engine = Engine::open(options(folder)).unwrap();
    let client = connect(&engine);
    assert_eq!((total(&client.index("a")).await, total(&client.index("b")).await), (400, 20));
    engine.shutdown().await;
}

fn cut(path: &Path, length: u64) {
    fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
}

fn overwrite(path: &Path, from: usize, length: usize) {
    let mut bytes = fs::read(path).unwrap();
    let end = bytes.len().min(from + length);
    bytes[from..end].fill(0xA5);
    fs::write(path, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_index_is_named() {
    let (folder, of_a) = closed().await;
    let folder = folder.path();
    let store = of_a.join("data.mdb");
    let length = fs::metadata(&store).unwrap().len();
    refused(&store, folder, "`a`", |path| cut(path, 0)).await;
    refused(&store, folder, "`a`", |path| cut(path, 5000)).await;
    refused(&store, folder, "cut off", |path| cut(path, 3 * 4096)).await;
    refused(&store, folder, "cut off", |path| cut(path, length / 2)).await;
    refused(&store, folder, "not an LMDB file", |path| overwrite(path, 0, 100)).await;
    refused(&store, folder, "`a`", |path| overwrite(path, 4096, 4096)).await;
    refused(&store, folder, "unreadable", |path| overwrite(path, 8192, usize::MAX - 8192)).await;
    refused(&store, folder, "`a`", |path| fs::remove_file(path).unwrap()).await;
    refused(&of_a, folder, "`a`", |_| {}).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_queue_is_named() {
    let (folder, _) = closed().await;
    let folder = folder.path();
    let store = folder.join("tasks/data.mdb");
    refused(&store, folder, "task queue", |path| cut(path, 0)).await;
    refused(&store, folder, "cut off", |path| cut(path, 3 * 4096)).await;
    refused(&store, folder, "not an LMDB file", |path| overwrite(path, 0, usize::MAX)).await;
    refused(&store, folder, "holds indexes", |path| fs::remove_file(path).unwrap()).await;
    refused(&folder.join("tasks"), folder, "holds indexes", |_| {}).await;
}

/// An index's folder without a name is what a crash leaves of an index that was being made: it goes, everything else stays.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_crash_left_is_removed() {
    let (folder, of_a) = closed().await;
    let unfinished = folder.path().join("indexes/0f6c4c1e-5d0e-4d5e-9f43-6f2b8f1d2a77");
    let foreign = folder.path().join("indexes/kept by the operator");
    fs::write(&foreign, "not ours").unwrap();
    fs::create_dir(&unfinished).unwrap();
    fs::copy(of_a.join("data.mdb"), unfinished.join("data.mdb")).unwrap();
    cut(&unfinished.join("data.mdb"), 10_000);
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    assert_eq!((total(&client.index("a")).await, total(&client.index("b")).await), (400, 20));
    assert!(!unfinished.exists() && of_a.exists() && foreign.exists());
}
