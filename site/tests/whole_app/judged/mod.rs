//! The judged set: measures the search quality of each of the ten languages through the real router.
//!
//! There are two kinds of queries. Some are hand-written (`queries/`). The others are drawn by rule from the titles of two corpora, so
//! that no author's choice biases them (`draw.rs`, judged by `grade.rs`). Corpora, words and the expected scores (`baseline*.toml`) are
//! in `site/tests/judged/`. `LANTERN_JUDGED_WRITE=1` writes the scores of a run as the new baseline.

mod corpus;
mod dice;
mod draw;
mod facets;
mod grade;
mod queries;
mod rough;
mod score;
mod source;
mod spell;
mod suggested;
mod titles;
mod words;

use std::{collections::BTreeMap, io::Write, path::PathBuf};

use lantern_config::{Config, Gcra, Lang, Policy};

use self::{
    corpus::Corpus,
    score::{Mean, Outcome, Table},
};
use crate::support::App;

/// Largest difference from the baseline at which the test passes.
const TOLERANCE: f64 = 0.005;

fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("tests/judged")
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tidy corpus, indexed by the app.
async fn app() -> (App, Corpus) {
    let corpus = Corpus::tidy();
    (filled("judged", &corpus).await, corpus)
}

async fn filled(name: &str, corpus: &Corpus) -> App {
    let change = |config: &mut Config| {
        // The test sends requests faster than any visitor would.
        let policy = Policy::Gcra(Gcra { burst: 10_000, per_seconds: 60, cells: 10_000, exempt_loopback: true });
        config.limits.search = policy.clone();
        config.limits.suggest = policy;
    };
    let app = App::filled(name, change, async |app| app.sql(&corpus.sql()).await).await;
    app.learn_words().await;
    app
}

#[tokio::test]
async fn scores_of_each_language_match_baseline() {
    let (app, corpus) = app().await;
    let mut table = Table::default();
    for lang in Lang::ALL {
        for outcome in queries::run(&app, &corpus, *lang).await {
            table.add(lang.as_str(), outcome);
        }
    }
    app.finish().await;
    compare_with_baseline("baseline.toml", &table, &table.by(|lang, _| lang.to_owned()));
}

#[tokio::test]
async fn scores_of_queries_drawn_from_tidy_titles_match_baseline() {
    let (app, corpus) = app().await;
    compare_drawn_with_baseline(app, "tidy", &corpus).await;
}

#[tokio::test]
async fn scores_of_queries_drawn_from_rough_titles_match_baseline() {
    let corpus = Corpus::rough();
    compare_drawn_with_baseline(filled("rough", &corpus).await, "rough", &corpus).await;
}

#[tokio::test]
async fn suggestions_have_the_counts_of_searches() {
    let (app, corpus) = app().await;
    let (different, compared) = suggested::different(&app, &corpus).await;
    app.finish().await;
    assert!(compared > 500, "only {compared} suggestions");
    assert!(different.is_empty(), "{} of {compared}:\n{}", different.len(), different.join("\n"));
}

async fn compare_drawn_with_baseline(app: App, name: &str, corpus: &Corpus) {
    let (lexicons, mut table) = (read("words.toml"), Table::default());
    for lang in Lang::ALL {
        for outcome in queries::run_drawn(&app, name, corpus, &lexicons, *lang).await {
            table.add(lang.as_str(), outcome);
        }
    }
    let missed = titles::missed(&app, name, corpus).await;
    app.finish().await;
    compare_with_baseline(&format!("baseline.{name}.toml"), &table, &table.by(|lang, class| format!("{lang} {class}")));
    assert!(missed.len() <= titles::MISSED, "{} titles do not find their video:\n{}", missed.len(), missed.join("\n"));
}

/// Prints every score. Compares the scores with a baseline file, or writes them to it.
fn compare_with_baseline(file: &str, table: &Table, found: &BTreeMap<String, Mean>) {
    std::io::stderr().write_all(table.report().as_bytes()).unwrap();
    if std::env::var_os("LANTERN_JUDGED_WRITE").is_some() {
        std::fs::write(folder().join(file), baseline_text(found)).unwrap();
        return;
    }
    let differences = differences(&read(file), found);
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}

fn baseline_text(found: &BTreeMap<String, Mean>) -> String {
    let lines = found.iter().map(|(name, mean)| format!("{name:?} = {}\n", toml::Value::try_from(mean).unwrap()));
    format!(
        "# Scores of the judged set; written by the test with LANTERN_JUDGED_WRITE=1.\n\n{}",
        lines.collect::<String>()
    )
}

/// Describes the differences from the baseline. A lower score is a regression, and a higher one must be recorded.
fn differences(baseline: &BTreeMap<String, Mean>, found: &BTreeMap<String, Mean>) -> Vec<String> {
    let gone = baseline.keys().filter(|name| !found.contains_key(*name));
    let mut differences: Vec<String> = gone.map(|name| format!("{name} is no longer searched")).collect();
    for (lang, now) in found {
        let Some(before) = baseline.get(lang) else {
            differences.push(format!("{lang} has no baseline"));
            continue;
        };
        for ((name, was), (_, is)) in before.gains().into_iter().zip(now.gains()) {
            if is < was - TOLERANCE {
                differences.push(format!("{lang}: {name} fell from {was:.4} to {is:.4}"));
            } else if is > was + TOLERANCE {
                differences
                    .push(format!("{lang}: {name} rose from {was:.4} to {is:.4}: record it (LANTERN_JUDGED_WRITE=1)"));
            }
        }
    }
    differences
}

#[test]
fn comparison_reports_each_score_that_fell() {
    let perfect = Outcome::judge("exact", "x".to_owned(), (&[1], 1), &[(1, 3)].into());
    let worse = Outcome::judge("exact", "x".to_owned(), (&[2, 1], 2), &[(1, 3)].into());
    let of = |outcomes: Vec<Outcome>| {
        let mut table = Table::default();
        outcomes.into_iter().for_each(|outcome| table.add("en", outcome));
        table.by(|lang, _| lang.to_owned())
    };
    let before = of(vec![perfect.clone(), perfect.clone()]);
    assert!(differences(&before, &before).is_empty());
    let fell = differences(&before, &of(vec![perfect.clone(), worse]));
    assert!(fell.iter().all(|line| line.contains("fell")) && fell.len() == 4, "{fell:?}");
    let nothing = Outcome::judge("exact", "x".to_owned(), (&[], 0), &[(1, 3)].into());
    assert!(differences(&before, &of(vec![perfect, nothing])).iter().any(|line| line.contains("answered")));
}
