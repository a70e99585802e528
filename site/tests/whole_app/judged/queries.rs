//! Sends the judged queries of a language as a browser would.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use lantern_config::Lang;
use serde::Deserialize;

use super::{corpus::Corpus, draw, grade::Judge, read, score::Outcome, source::Source, words::Lexicons};
use crate::support::{App, video_ids};

#[derive(Debug, Deserialize)]
struct Judged {
    queries: Vec<Query>,
    suggest: Vec<Query>,
}

#[derive(Debug, Deserialize)]
struct Query {
    text: String,
    kind: String,
    relevant: BTreeMap<String, u32>,
}

/// What a query tests. The list catches misspelled kinds in the files.
const KINDS: [&str; 19] = [
    "exact",
    "prefix",
    "typo",
    "diacritics",
    "inflected",
    "compound",
    "elision",
    "order",
    "name",
    "foreign",
    "translit",
    "label",
    "kana",
    "width",
    "single",
    "noise",
    "suggest",
    "phrase",
    "fresh",
];

fn kind(name: &str) -> &'static str {
    KINDS.into_iter().find(|kind| *kind == name).unwrap_or_else(|| panic!("{name} is not a kind of query"))
}

/// Percent-encodes every byte.
pub fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Returns the ids of the videos shown, and how many of them are announced as matches.
async fn search(app: &App, text: &str, lang: Lang) -> (Vec<i64>, usize) {
    let text = escaped(text);
    let path = format!("/api/videos2.php?params=86400/str/relevance/100/search..1.all.all.all&s={text}&lang={lang}");
    let answer = app.json(&path).await;
    // Without matches, the search shows popular videos.
    let is_popular = answer["relaxed"].as_array().is_some_and(|relaxed| relaxed.iter().any(|part| part == "popular"));
    let mut shown = if is_popular { Vec::new() } else { video_ids(&answer) };
    let claimed = shown.len();
    // Partial matches below few results are shown, but not announced as matches.
    if answer["partial"].is_object() {
        shown.extend(video_ids(&answer["partial"]));
    }
    (shown, claimed)
}

/// Describes a query for the report: with the videos shown, irrelevant ones in brackets, and the relevant ones that are missing. If
/// `LANTERN_JUDGED_PLANS` is set, it includes the plan.
async fn about(
    app: &App,
    corpus: &Corpus,
    (text, lang): (&str, Lang),
    (found, claimed): (&[i64], usize),
    grades: &BTreeMap<i64, u32>,
) -> String {
    let shown = found.iter().take(10).enumerate().map(|(at, id)| match grades.get(id) {
        Some(grade) => format!("{}{grade}{}", if at < claimed { "" } else { "+" }, corpus.name(*id)),
        None => format!("[{}]", corpus.name(*id)),
    });
    let missing =
        grades.iter().filter(|(id, _)| !found.contains(id)).map(|(id, grade)| format!("{grade}{}", corpus.name(*id)));
    let mut about = format!("{text}: {}", shown.collect::<Vec<_>>().join(", "));
    let missing: Vec<String> = missing.collect();
    if !missing.is_empty() {
        about.push_str(&format!("; missing {}", missing.join(", ")));
    }
    if std::env::var_os("LANTERN_JUDGED_PLANS").is_some() {
        let params = "params=86400/str/relevance/10/search..1.all.all.all";
        let plan = app.watch(&format!("/explain?{params}&s={}&lang={lang}", escaped(text))).await.json();
        about.push_str(&format!("\n      {}", plan["plan"].as_str().unwrap_or_default()));
    }
    about
}

/// Runs every drawn query for a language.
pub async fn run_drawn(app: &App, name: &str, corpus: &Corpus, lexicons: &Lexicons, lang: Lang) -> Vec<Outcome> {
    let judge = Judge::new(corpus, lang);
    let mut outcomes = Vec::new();
    for (class, (text, sought)) in draw::draw(name, &Source::new(corpus, lexicons, lang)) {
        let grades = judge.grades(&sought);
        assert!(!grades.is_empty(), "{lang} {class}: no video is relevant to {text}");
        let (found, claimed) = search(app, &text, lang).await;
        let about = about(app, corpus, (&text, lang), (&found, claimed), &grades).await;
        outcomes.push(Outcome::judge(class, about, (&found, claimed), &grades));
    }
    outcomes
}

/// Runs every hand-written query for a language.
pub async fn run(app: &App, corpus: &Corpus, lang: Lang) -> Vec<Outcome> {
    let judged: Judged = read(&format!("queries/{lang}.toml"));
    let texts: BTreeSet<&str> = judged.queries.iter().map(|query| query.text.as_str()).collect();
    assert!(texts.len() >= 15 && texts.len() == judged.queries.len(), "{lang}: needs at least 15 distinct queries");
    let mut outcomes = Vec::new();
    for query in judged.queries {
        let (found, claimed) = search(app, &query.text, lang).await;
        let grades = corpus.grades(&query.relevant);
        let about = about(app, corpus, (&query.text, lang), (&found, claimed), &grades).await;
        outcomes.push(Outcome::judge(kind(&query.kind), about, (&found, claimed), &grades));
    }
    for query in judged.suggest {
        let path = format!("/api/suggester.php?c={}&lang={lang}", escaped(&query.text));
        let answer = app.json(&path).await;
        let found: Vec<i64> = answer["suggestions"].as_array().unwrap().iter().map(name).collect();
        let grades = query.relevant.iter().map(|(name, grade)| (number(name), *grade)).collect();
        outcomes.push(Outcome::judge(kind(&query.kind), query.text, (&found, found.len()), &grades));
    }
    outcomes
}

/// Returns the hash of `category beach` or `model yuki-mori`, which is the name of a suggestion.
fn name(suggestion: &serde_json::Value) -> i64 {
    let part = |field: &str| suggestion[field].as_str().unwrap_or_default().to_owned();
    number(&format!("{} {}", part("type"), part("dir")))
}

fn number(name: &str) -> i64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish().cast_signed()
}
