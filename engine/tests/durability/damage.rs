//! Tests that if there is damage in its folder, an engine still opens, quarantines exactly the damaged stores, serves the rest, and accepts
//! rebuilt indexes.
//!
//! `LANTERN_DAMAGE_ROUNDS` sets the number of rounds (40 by default, 200 for the long form), and `LANTERN_DAMAGE_SEED` reproduces a run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use lantern_engine::{Damage, Engine};
use lantern_index::SearchClient;
use meilisearch_sdk::documents::DocumentsQuery;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::support::{Raw, connect, document, options, prepared, succeed, total};

/// The indexes with their numbers of documents.
const INDEXES: [(&str, u64); 3] = [("a", 400), ("b", 20), ("c", 90)];
const PAGE: u64 = 4096;

/// Creates an engine, closes it and returns its folder.
async fn closed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    for (uid, count) in INDEXES {
        prepared(&client, uid, count).await;
    }
    engine.shutdown().await;
    folder
}

/// Returns the LMDB files below `folder` by index name, with the queue's as `None`.
fn stores(folder: &Path) -> BTreeMap<Option<&'static str>, PathBuf> {
    let mut by_size: Vec<(u64, PathBuf)> = fs::read_dir(folder.join("indexes"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("data.mdb"))
        .map(|path| (fs::metadata(&path).unwrap().len(), path))
        .collect();
    by_size.sort();
    // More documents make a larger file.
    let mut named: Vec<&str> = INDEXES.map(|(uid, _)| uid).to_vec();
    named.sort_by_key(|uid| INDEXES.iter().find(|(name, _)| name == uid).unwrap().1);
    let mut stores: BTreeMap<Option<&'static str>, PathBuf> = BTreeMap::new();
    for (uid, (_, path)) in named.into_iter().zip(by_size) {
        stores.insert(INDEXES.iter().find(|(name, _)| *name == uid).map(|(name, _)| *name), path);
    }
    stores.insert(None, folder.join("tasks/data.mdb"));
    stores
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

/// Overwrites, zeroes, truncates or removes a file. Returns a description of the damage.
fn damage(path: &Path, dice: &mut ChaCha8Rng) -> String {
    let file = fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    match dice.random_range(0..10) {
        0..5 => {
            let mut noise = vec![0; [1, 16, 512, 4096, 65_536][dice.random_range(0..5)]];
            dice.fill_bytes(&mut noise);
            let at = dice.random_range(0..length);
            noise.truncate((length - at) as usize);
            file.write_all_at(&noise, at).unwrap();
            format!("{} bytes at {at} of {length}", noise.len())
        }
        5..8 => {
            let page = dice.random_range(0..length / PAGE);
            file.write_all_at(&[0; PAGE as usize], page * PAGE).unwrap();
            format!("page {page} of {} zeroed", length / PAGE)
        }
        8 => {
            let to =
                [0, dice.random_range(0..length), dice.random_range(0..length / PAGE) * PAGE][dice.random_range(0..3)];
            file.set_len(to).unwrap();
            format!("{length} bytes cut to {to}")
        }
        _ => {
            fs::remove_file(path).unwrap();
            "removed".to_owned()
        }
    }
}

/// Returns whether the index exists. If so, checks that it has all its documents and finds them.
async fn is_intact(client: &SearchClient, uid: &str, count: u64) -> bool {
    let index = client.index(uid);
    if client.get_raw_index(uid).await.is_err() {
        return false;
    }
    assert_eq!(total(&index).await as u64, count, "{uid}");
    let mut query = DocumentsQuery::new(&index);
    query.with_limit(1000);
    let mut documents = query.execute::<Value>().await.unwrap().results;
    documents.sort_by_key(|document| document["id"].as_u64());
    assert_eq!(documents, (0..count).map(document).collect::<Vec<_>>(), "{uid}");
    let found = index.search().with_query("lanterns").with_sort(&["viewed:desc"]).execute::<Value>().await.unwrap();
    assert_eq!(found.estimated_total_hits, Some(count as usize), "{uid}");
    true
}

async fn rebuild_missing(client: &SearchClient) {
    for (uid, count) in INDEXES {
        if !is_intact(client, uid, count).await {
            prepared(client, uid, count).await;
        }
    }
}

fn uids(damages: &[Damage]) -> Vec<Option<&str>> {
    damages.iter().map(|damage| damage.uid.as_deref()).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}

/// All damage to a cleanly closed folder is found before anything is mapped, and nothing else is quarantined.
#[tokio::test(flavor = "multi_thread")]
async fn every_damage_is_detected_and_rebuilt() {
    let seed = number("LANTERN_DAMAGE_SEED").unwrap_or(39);
    let rounds = number("LANTERN_DAMAGE_ROUNDS").unwrap_or(40);
    println!("LANTERN_DAMAGE_SEED={seed} LANTERN_DAMAGE_ROUNDS={rounds}");
    let pristine = closed().await;
    let victims = stores(pristine.path());
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        copy(pristine.path(), folder.path());
        let (&victim, path) = victims.iter().nth(dice.random_range(0..victims.len())).unwrap();
        let path = folder.path().join(path.strip_prefix(pristine.path()).unwrap());
        let before = fs::read(&path).unwrap();
        let what = format!("round {round}: {victim:?}: {}", damage(&path, &mut dice));
        let changed = fs::read(&path).ok() != Some(before);

        let engine = Engine::open(options(folder.path())).unwrap();
        let damages = engine.damages().unwrap();
        assert_eq!(uids(&damages), if changed { vec![victim] } else { Vec::new() }, "{what}");
        let client = connect(&engine);
        for (uid, count) in INDEXES {
            let is_hit = changed && (victim.is_none() || victim == Some(uid));
            assert_eq!(is_intact(&client, uid, count).await, !is_hit, "{what}: {uid}");
        }
        rebuild_missing(&client).await;
        engine.shutdown().await;

        let engine = Engine::open(options(folder.path())).unwrap();
        let client = connect(&engine);
        assert_eq!(engine.damages().unwrap(), damages, "{what}");
        for (uid, count) in INDEXES {
            assert!(is_intact(&client, uid, count).await, "{what}: {uid}");
        }
        engine.shutdown().await;
    }
}

/// After a crash there are no checksums. Stores that cannot be walked or decoded are quarantined, and the other stores never crash the
/// engine.
#[tokio::test(flavor = "multi_thread")]
async fn damage_after_a_crash_does_not_crash_the_engine() {
    let seed = number("LANTERN_DAMAGE_SEED").unwrap_or(93);
    let rounds = number("LANTERN_DAMAGE_ROUNDS").unwrap_or(40);
    let pristine = closed().await;
    let victims = stores(pristine.path());
    fs::write(pristine.path().join("open.json"), "{}").unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut found = 0;
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        copy(pristine.path(), folder.path());
        let victim = victims.values().nth(dice.random_range(0..victims.len())).unwrap();
        let path = folder.path().join(victim.strip_prefix(pristine.path()).unwrap());
        let what = damage(&path, &mut dice);
        let engine = Engine::open(options(folder.path())).unwrap();
        let (client, raw) = (connect(&engine), Raw::new(&engine));
        found += engine.damages().unwrap().len();
        for (uid, _) in INDEXES {
            let (search, list) = (format!("/indexes/{uid}/search"), format!("/indexes/{uid}/documents?limit=1000"));
            let body = serde_json::json!({ "q": "lanterns", "facets": ["*"], "filter": "year > 1995", "limit": 1000 });
            let (searched, _) = raw.call("POST", &search, Some(&body)).await;
            let (listed, _) = raw.call("GET", &list, None).await;
            assert!([200, 404, 500].contains(&searched) && [200, 404, 500].contains(&listed), "round {round}: {what}");
            prepared(&client, &format!("{uid}_new"), 5).await;
        }
        engine.shutdown().await;
    }
    println!("{found} of {rounds} damages were quarantined");
    assert!(found as u64 > rounds / 2, "{found} of {rounds}");
}

/// Specific cases: an empty file, an invalid file, a missing file, a missing folder.
#[tokio::test(flavor = "multi_thread")]
async fn missing_and_invalid_files_are_damage() {
    let pristine = closed().await;
    let victims = stores(pristine.path());
    for (victim, path) in &victims {
        for case in 0..4 {
            let folder = tempfile::tempdir().unwrap();
            copy(pristine.path(), folder.path());
            let path = folder.path().join(path.strip_prefix(pristine.path()).unwrap());
            match case {
                0 => fs::write(&path, "").unwrap(),
                1 => fs::write(&path, vec![0xA5; 100_000]).unwrap(),
                2 => fs::remove_file(&path).unwrap(),
                _ => fs::remove_dir_all(path.parent().unwrap()).unwrap(),
            }
            let engine = Engine::open(options(folder.path())).unwrap();
            assert_eq!(uids(&engine.damages().unwrap()), [*victim], "case {case}");
            rebuild_missing(&connect(&engine)).await;
            engine.shutdown().await;
        }
    }
}

/// At most `options.quarantine` damaged stores stay on disk.
#[tokio::test(flavor = "multi_thread")]
async fn quarantine_is_bounded() {
    let folder = closed().await;
    for round in 0..5 {
        let path = &stores(folder.path())[&Some("b")];
        fs::File::options().write(true).open(path).unwrap().write_all_at(&[round], 9000).unwrap();
        fs::File::options().write(true).open(path).unwrap().write_all_at(&[0xA5; 64], 9000).unwrap();
        let engine = Engine::open(options(folder.path())).unwrap();
        assert_eq!(engine.damages().unwrap().len(), usize::from(round + 1).min(3));
        rebuild_missing(&connect(&engine)).await;
        engine.shutdown().await;
    }
    assert_eq!(fs::read_dir(folder.path().join("quarantine")).unwrap().count(), 3);
}

/// Runs a check of the index file and returns the damage.
async fn check(raw: &Raw, uid: &str) -> Value {
    let (status, answer) = raw.call("POST", &format!("/indexes/{uid}/check"), None).await;
    assert_eq!(status, 200, "{answer}");
    answer["damage"].clone()
}

/// If a value is overwritten while the engine is running, a check finds the damage and the index is quarantined. The other indexes stay
/// available. Writes to the damaged index are refused until it is created again.
#[tokio::test(flavor = "multi_thread")]
async fn damage_while_running_is_quarantined() {
    let folder = closed().await;
    let path = stores(folder.path())[&Some("a")].clone();
    let engine = Engine::open(options(folder.path())).unwrap();
    let (client, raw) = (connect(&engine), Raw::new(&engine));
    assert_eq!(check(&raw, "a").await, Value::Null);
    let bytes = fs::read(&path).unwrap();
    // Damage every copy of a document's text. A quotation mark inside it makes the JSON invalid.
    let text = b"A long walk past";
    let file = fs::File::options().write(true).open(&path).unwrap();
    for at in bytes.windows(text.len()).enumerate().filter(|(_, window)| window == text).map(|(at, _)| at) {
        file.write_all_at(b"\"", at as u64 + 3).unwrap();
    }
    assert_eq!(check(&raw, "a").await, "a value can't be decoded");
    let mut polls = tokio::time::interval(std::time::Duration::from_millis(5));
    while raw.get("/quarantine").await["results"].as_array().unwrap().is_empty() {
        polls.tick().await;
    }
    let quarantined = raw.get("/quarantine").await;
    assert_eq!(quarantined["results"][0]["uid"], "a", "{quarantined}");
    assert!(is_intact(&client, "b", 20).await && !is_intact(&client, "a", 400).await);
    let added = raw.write("POST", "/indexes/a/documents", Some(&serde_json::json!([document(1)]))).await;
    assert_eq!(
        (&added["status"], &added["error"]["code"]),
        (&"failed".into(), &"invalid_store_file".into()),
        "{added}"
    );
    succeed(&client, client.create_index("a", Some("id")).await).await;
    succeed(&client, client.index("a").add_documents(&[document(1)], None).await).await;
    engine.shutdown().await;
}

/// A crash leaves unnamed folders of unfinished indexes. They are removed, and everything else stays.
#[tokio::test(flavor = "multi_thread")]
async fn unfinished_indexes_are_removed() {
    let folder = closed().await;
    let of_a = stores(folder.path())[&Some("a")].clone();
    let unfinished = folder.path().join("indexes/0f6c4c1e-5d0e-4d5e-9f43-6f2b8f1d2a77");
    let foreign = folder.path().join("indexes/owned by the operator");
    fs::write(&foreign, "not ours").unwrap();
    fs::create_dir(&unfinished).unwrap();
    fs::copy(&of_a, unfinished.join("data.mdb")).unwrap();
    fs::File::options().write(true).open(unfinished.join("data.mdb")).unwrap().set_len(10_000).unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    assert!(is_intact(&client, "a", 400).await && is_intact(&client, "b", 20).await);
    assert!(!unfinished.exists() && of_a.exists() && foreign.exists());
}
