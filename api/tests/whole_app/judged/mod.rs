//! The judged set: how well each of the ten languages is searched, through the real router.
//!
//! Corpus and queries are in `api/tests/judged/`, the scores to keep in `baseline.toml` there. Run with
//! `LANTERN_JUDGED_WRITE=1` to write the scores of this run as the new baseline.

mod corpus;
mod facets;
mod queries;
mod score;

use std::{collections::BTreeMap, io::Write, path::PathBuf};

use lantern_config::{Config, Gcra, Lang, Policy};

use self::{
    corpus::Corpus,
    score::{Mean, Outcome, Table},
};
use crate::support::App;

/// How far a score may move before somebody has to look.
const TOLERANCE: f64 = 0.005;

fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("tests/judged")
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The judged corpus in its own catalog, indexed by the product.
async fn app() -> (App, Corpus) {
    let (corpus, sql) = Corpus::read();
    let change = |config: &mut Config| {
        // The test asks faster than any visitor.
        let policy = Policy::Gcra(Gcra { burst: 10_000, per_seconds: 60, cells: 10_000, exempt_loopback: true });
        config.limits.search = policy.clone();
        config.limits.suggest = policy;
    };
    (App::filled("judged", change, async |app| app.sql(&sql).await).await, corpus)
}

#[tokio::test]
async fn no_language_is_searched_worse_than_before() {
    let (app, corpus) = app().await;
    let mut table = Table::default();
    for lang in Lang::ALL {
        for outcome in queries::run(&app, &corpus, *lang).await {
            table.add(lang.as_str(), outcome);
        }
    }
    app.finish().await;
    let report = table.report();
    std::io::stderr().write_all(report.as_bytes()).unwrap();
    let found = table.by_lang();
    if std::env::var_os("LANTERN_JUDGED_WRITE").is_some() {
        std::fs::write(folder().join("baseline.toml"), baseline_text(&found)).unwrap();
        return;
    }
    let kept: BTreeMap<String, Mean> = read("baseline.toml");
    let moved = moved(&kept, &found);
    assert!(moved.is_empty(), "\n{}", moved.join("\n"));
}

fn baseline_text(found: &BTreeMap<String, Mean>) -> String {
    format!(
        "# Scores of the judged set by language; written by the test with LANTERN_JUDGED_WRITE=1.\n\n{}",
        toml::to_string(found).unwrap()
    )
}

/// What differs from the baseline, in words: worse has to be mended, better to be kept.
fn moved(kept: &BTreeMap<String, Mean>, found: &BTreeMap<String, Mean>) -> Vec<String> {
    let mut moved = Vec::new();
    for (lang, now) in found {
        let Some(before) = kept.get(lang) else {
            moved.push(format!("{lang} has no baseline"));
            continue;
        };
        for ((name, was), (_, is)) in before.gains().into_iter().zip(now.gains()) {
            if is < was - TOLERANCE {
                moved.push(format!("{lang}: {name} fell from {was:.4} to {is:.4}"));
            } else if is > was + TOLERANCE {
                moved.push(format!("{lang}: {name} rose from {was:.4} to {is:.4}: keep it (LANTERN_JUDGED_WRITE=1)"));
            }
        }
    }
    moved
}

#[test]
fn a_fall_of_any_score_is_noticed() {
    let perfect = Outcome::judge("exact", "x".to_owned(), &[1], &[(1, 3)].into());
    let worse = Outcome::judge("exact", "x".to_owned(), &[2, 1], &[(1, 3)].into());
    let of = |outcomes: Vec<Outcome>| {
        let mut table = Table::default();
        outcomes.into_iter().for_each(|outcome| table.add("en", outcome));
        table.by_lang()
    };
    let before = of(vec![perfect.clone(), perfect.clone()]);
    assert!(moved(&before, &before).is_empty());
    let fell = moved(&before, &of(vec![perfect.clone(), worse]));
    assert!(fell.iter().all(|line| line.contains("fell")) && fell.len() == 3, "{fell:?}");
    let nothing = Outcome::judge("exact", "x".to_owned(), &[], &[(1, 3)].into());
    assert!(moved(&before, &of(vec![perfect, nothing])).iter().any(|line| line.contains("answered")));
}
