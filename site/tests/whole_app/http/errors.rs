//! `config/errors.toml` has every error code, in ten languages.

use std::{collections::BTreeSet, path::Path};

use lantern_config::{Config, Lang, errors};
use serde_json::Value;

/// Collects the error codes in the API document, which are the enums of the property `code`.
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

/// Collects the error codes in the sources, from the places where errors are constructed.
fn written(folder: &Path, codes: &mut BTreeSet<String>) {
    const PREFIXES: [&str; 5] = ["NotFound(\"", "Forbidden(\"", "Conflict(\"", "TooManyOf(\"", "code: \""];
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
        // Unit tests use invented errors.
        let product = source.split("#[cfg(test)]").next().unwrap_or_default();
        for prefix in PREFIXES {
            codes.extend(product.split(prefix).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
    }
}

#[test]
fn every_error_code_has_texts() {
    let mut codes = BTreeSet::new();
    documented(&lantern_site::document(&Config::default()), &mut codes);
    assert!(codes.len() > 30 && codes.contains("video_not_found"), "{codes:?}");
    let mut in_sources = BTreeSet::new();
    for name in ["accounts", "api", "listing", "search", "site", "uploads"] {
        written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut in_sources);
    }
    assert!(
        in_sources.contains("video_not_found") && in_sources.contains("not_configured"),
        "codes in the sources: {in_sources:?}"
    );
    codes.extend(in_sources);
    let missing: Vec<&String> = codes.iter().filter(|code| errors::text(code, Lang::Ja).is_none()).collect();
    assert!(missing.is_empty(), "config/errors.toml lacks {missing:?}");
}

/// `lantern errors` writes the files that the app loads.
#[test]
fn app_texts_match_the_error_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/texts/errors");
    for lang in Lang::ALL {
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join(format!("{lang}.json"))).unwrap()).unwrap();
        assert_eq!(file, serde_json::to_value(errors::of_language(*lang)).unwrap(), "{lang}: run ./dev gen");
    }
}
