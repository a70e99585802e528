//! Learns the words of visible titles.

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use lantern_catalog::words;
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::text;
use sqlx::PgPool;

use crate::meaning::Corpus;

/// Number of videos per batch.
const BATCH: i64 = 1000;

/// Number of videos with a word, and the word's spellings.
#[derive(Default)]
struct CountedWord {
    videos: usize,
    written: BTreeMap<String, usize>,
}

/// Learns the words from all titles and stores the `most` frequent ones in each language. Adds titles with translations
/// to the corpus. After each batch, sleeps for as long as the batch took, so that learning uses at most half a core.
pub async fn learn(pool: &PgPool, most: usize, corpus: &mut Corpus) -> ApiResult<()> {
    let mut counts: HashMap<String, HashMap<String, CountedWord>> = HashMap::new();
    let mut after = 0;
    loop {
        let begun = Instant::now();
        let titles = words::titles(&mut *pool.acquire().await?, None, after, BATCH).await?;
        let Some(last) = titles.last() else { break };
        after = last.id;
        corpus.add(&titles);
        for title in &titles {
            let counts = counts.entry(title.lang.clone()).or_default();
            for written in text::title_words(&title.title).into_iter().filter(|word| is_word(word)) {
                let counted = counts.entry(text::spelled(&written)).or_default();
                counted.videos += 1;
                *counted.written.entry(written).or_default() += 1;
            }
        }
        tokio::time::sleep(begun.elapsed()).await;
    }
    let mut conn = pool.acquire().await?;
    for lang in Lang::ALL {
        let known = counts.remove(lang.as_str()).unwrap_or_default();
        words::keep(&mut conn, lang.as_str(), &to_list(known, most)).await?;
    }
    Ok(())
}

/// Whether the text is a word. A number is not a word because numbers are never misspelled, and neither is a single
/// letter or kana. A single kanji is a word.
pub(super) fn is_word(word: &str) -> bool {
    (word.chars().nth(1).is_some() || word.chars().all(text::japanese::is_kanji)) && !word.chars().any(char::is_numeric)
}

/// Formats the most frequent words as `word<TAB>videos` lines, each word in its most common spelling.
fn to_list(known: HashMap<String, CountedWord>, most: usize) -> String {
    let word = |counted: CountedWord| {
        let (written, _) = counted.written.into_iter().max_by_key(|(_, titles)| *titles)?;
        Some((counted.videos, written))
    };
    let mut words: Vec<(usize, String)> = known.into_values().filter_map(word).collect();
    words.sort_unstable_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
    words.truncate(most);
    words.into_iter().map(|(videos, written)| format!("{written}\t{videos}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_the_most_frequent_words_in_their_most_common_spelling() {
        let counted = |written: &[(&str, usize)]| CountedWord {
            videos: written.iter().map(|(_, videos)| videos).sum(),
            written: written.iter().map(|(word, videos)| ((*word).to_owned(), *videos)).collect(),
        };
        let known = || {
            HashMap::from([
                ("cafe".to_owned(), counted(&[("cafe", 1), ("café", 3)])),
                ("walk".to_owned(), counted(&[("walk", 4)])),
                ("tea".to_owned(), counted(&[("tea", 1)])),
            ])
        };
        assert_eq!(to_list(known(), 9), "café\t4\nwalk\t4\ntea\t1\n");
        assert_eq!(to_list(known(), 1), "café\t4\n");
        assert!(is_word("茶屋") && is_word("灯") && !is_word("の") && !is_word("a") && !is_word("x2"));
    }
}
