//! Counts of suggestions. Each suggested query has the count that a search for it has, without anything relaxed.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use lantern_config::Lang;
use lantern_index::text::title_words;

use super::{corpus::Corpus, dice::Dice, queries::escaped};
use crate::support::App;

/// Number of prefixes typed in each language.
const TYPED: usize = 200;
/// Longest prefix in characters.
const LONGEST: usize = 5;

/// Returns prefixes of title words in a language, some after another word of the title.
fn prefixes(corpus: &Corpus, lang: Lang) -> Vec<String> {
    let mut prefixes = BTreeSet::new();
    for (_, video) in corpus.numbered() {
        let Some(title) = video.titles.get(lang.as_str()) else { continue };
        let words: Vec<String> = title_words(title).into_iter().collect();
        for (at, word) in words.iter().enumerate() {
            for length in 1..=LONGEST.min(word.chars().count()) {
                let prefix: String = word.chars().take(length).collect();
                if at > 0 && lang != Lang::Ja {
                    prefixes.insert(format!("{} {prefix}", words[at - 1]));
                }
                prefixes.insert(prefix);
            }
        }
    }
    Dice::new(&format!("{lang} prefixes")).some(prefixes.into_iter().collect(), TYPED)
}

/// Describes the suggested queries whose count differs from that of a search, after typing [`TYPED`] prefixes in each language. Also returns
/// the number of suggestions compared.
pub async fn different(app: &App, corpus: &Corpus) -> (Vec<String>, usize) {
    let (mut different, mut known) = (Vec::new(), BTreeMap::new());
    for lang in Lang::ALL {
        for typed in prefixes(corpus, *lang) {
            let path = format!("/api/suggester.php?c={}&lang={lang}&gender=str", escaped(&typed));
            let answer = app.json(&path).await;
            let suggestions = answer["suggestions"].as_array().unwrap();
            for suggestion in suggestions.iter().filter(|one| one["type"] == "query") {
                let title = suggestion["title"].as_str().unwrap().to_owned();
                if let Entry::Vacant(entry) = known.entry((*lang, title.clone())) {
                    let path = format!(
                        "/api/videos2.php?params=86400/str/relevance/1/search..1.all.all.all&s={}&lang={lang}",
                        escaped(&title)
                    );
                    let found = app.json(&path).await;
                    entry.insert((found["total_count"].clone(), found["relaxed"].clone()));
                }
                let (total, relaxed) = &known[&(*lang, title.clone())];
                if suggestion["total"] != *total || !relaxed.is_null() {
                    different.push(format!("{lang} {typed}: {title} {} → {total} {relaxed}", suggestion["total"]));
                }
            }
        }
    }
    (different, known.len())
}
