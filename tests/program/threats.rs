//! `docs/THREATS.md` names tests; they are there.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Folders that hold no source of ours.
const FOREIGN: [&str; 4] = ["target", "node_modules", ".git", ".lantern"];

#[test]
fn every_test_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(root, &mut files);
    let page = fs::read_to_string(root.join("docs/THREATS.md")).unwrap();
    let mut named = 0;
    for word in page.split('`').skip(1).step_by(2) {
        let is_there = if let Some((file, test)) = word.split_once("::") {
            let test = format!("fn {test}()");
            files.iter().any(|(path, text)| path.to_string_lossy().contains(file) && text.contains(&test))
        } else if word != "name.spec.ts" && word.ends_with(".spec.ts") {
            root.join("web/e2e").join(word).exists()
        } else {
            continue;
        };
        if word != "file::name" {
            assert!(is_there, "{word}");
            named += 1;
        }
    }
    assert!(named > 50, "{named} names were read");
}

/// The Rust files below `folder`, with their texts.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !FOREIGN.contains(&&*name) {
            collect(&path, files);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
}
