//! Every code that an answer can have is in the catalogue of errors, in ten languages.

use std::{collections::BTreeSet, path::Path};

use lantern_config::{Config, Lang, errors};
use serde_json::Value;

/// Codes of the document: the closed lists of the member `code`.
fn documented(value: &Value, codes: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "code"
                    && let Some(words) = member["enum"].as_array()
                {
                    codes.extend(words.iter().filter_map(|word| word.as_str().map(str::to_owned)));
                }
                documented(member, codes);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| documented(item, codes)),
        _ => {}
    }
}

/// Codes written in the sources, where an error is made.
fn written(folder: &Path, codes: &mut BTreeSet<String>) {
    const BEFORE: [&str; 5] = ["NotFound(\"", "Forbidden(\"", "Conflict(\"", "TooManyOf(\"", "code: \""];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("tests.rs") || path.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            written(&path, codes);
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        // Tests make errors up.
        let product = source.split("#[cfg(test)]").next().unwrap_or_default();
        for before in BEFORE {
            codes.extend(product.split(before).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
    }
}

#[test]
fn every_code_of_an_answer_has_its_texts() {
    let mut codes = BTreeSet::new();
    documented(&lantern_api::document(&Config::default()), &mut codes);
    assert!(codes.len() > 30 && codes.contains("video_not_found"), "{codes:?}");
    let mut made = BTreeSet::new();
    written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut made);
    assert!(made.contains("video_not_found") && made.contains("not_configured"), "the sources are read: {made:?}");
    codes.extend(made);
    let missing: Vec<&String> = codes.iter().filter(|code| errors::text(code, Lang::Ja).is_none()).collect();
    assert!(missing.is_empty(), "config/errors.toml lacks {missing:?}");
}

/// What the app loads is what the catalogue says; `lantern errors` writes it.
#[test]
fn the_apps_files_are_those_of_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/texts/errors");
    for lang in Lang::ALL {
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join(format!("{lang}.json"))).unwrap()).unwrap();
        assert_eq!(file, serde_json::to_value(errors::of_language(*lang)).unwrap(), "{lang}: run ./dev gen");
    }
}
