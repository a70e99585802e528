//! Words from visible titles. One node learns them for all nodes, and they are used to recognize words in queries.

pub mod learn;
mod vocabulary;

use std::sync::{Arc, PoisonError, RwLock};

use lantern_catalog::words;
use lantern_config::Lang;
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::{self, Word, plain_words};
use sqlx::PgPool;
use tokio::task::spawn_blocking;

use self::vocabulary::Vocabulary;
use super::spelling::{KnownSpelling, MAX_WORDS};

/// The vocabulary as this node last loaded it.
#[derive(Default)]
pub struct Words(RwLock<Arc<Vocabulary>>);

impl Words {
    /// Returns the languages that have most of the query's foreign words. A word is foreign if titles in the visitor's
    /// language don't have it and `is_known` doesn't accept it. Returns no languages if there are no such words.
    /// Japanese words are ignored because they are searched in every language.
    pub fn foreign_langs(&self, query: &str, visitor: Lang, is_known: impl Fn(&str) -> bool) -> Vec<Lang> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let words = plain_words(query);
        let words = words.iter().filter(|word| !word.japanese && learn::is_word(&word.spelled));
        let words = words.map(|word| &query[word.at.clone()]);
        let unknown: Vec<&str> = words.filter(|word| !vocabulary.knows(word, visitor) && !is_known(word)).collect();
        let is_of = |word: &&&str, lang| text::langs_of(word, visitor).contains(&lang) && vocabulary.knows(word, lang);
        let count = |lang: Lang| (unknown.iter().filter(|word| is_of(word, lang)).count(), lang);
        let counts: Vec<(usize, Lang)> = Lang::ALL.iter().map(|lang| count(*lang)).collect();
        let most = counts.iter().map(|(count, _)| *count).max().unwrap_or_default();
        counts.into_iter().filter(|(count, _)| *count == most && most > 0).map(|(_, lang)| lang).collect()
    }

    /// Returns the query words that no title in any language has, in any form or as a prefix. Returns none for a
    /// sentence. Japanese words are ignored because they match only exactly as typed.
    pub fn unknown(&self, query: &str) -> Vec<Word> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let words = plain_words(query);
        if vocabulary.learned_at.is_none() || words.len() > MAX_WORDS {
            return Vec::new();
        }
        let has_form = |word: &str| Lang::ALL.iter().any(|lang| vocabulary.knows(word, *lang));
        let is_known = |word: &Word| {
            word.japanese
                || !learn::is_word(&word.spelled)
                || vocabulary.has_prefix(&word.spelled)
                || has_form(&query[word.at.clone()])
        };
        words.into_iter().filter(|word| !is_known(word)).collect()
    }

    /// Returns variants of the query: with a word replaced by compounds that contain it, and with a compound replaced
    /// by its parts.
    pub fn compounds(&self, query: &str, lang: Lang) -> Vec<String> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let mut found = Vec::new();
        for word in plain_words(query).iter().take(MAX_WORDS) {
            let mut instead = |words: &str| {
                let mut text = query.to_owned();
                text.replace_range(word.at.clone(), words);
                found.push(text);
            };
            for compound in vocabulary.compounds(&query[word.at.clone()], lang) {
                // Use a phrase, so that typos don't match.
                instead(&format!("\"{compound}\""));
            }
            if let Some([head, tail]) = vocabulary.split_compound(&word.spelled, lang) {
                instead(&format!("\"{head}\" \"{tail}\""));
            }
        }
        found
    }

    /// Returns the query with other forms of its words that occur in titles, in the first of these languages that has
    /// any.
    pub fn forms(&self, query: &str, langs: impl IntoIterator<Item = Lang>) -> Vec<(String, Lang)> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let words = plain_words(query);
        if words.len() > MAX_WORDS {
            return Vec::new();
        }
        let in_lang = |lang: Lang| {
            let choices: Vec<Vec<String>> =
                words.iter().map(|word| choices(&vocabulary, &query[word.at.clone()], lang)).collect();
            (choices.iter().any(|of| of.iter().any(|form| !form.is_empty()))).then_some((choices, lang))
        };
        let Some((choices, lang)) = langs.into_iter().find_map(in_lang) else { return Vec::new() };
        let rounds = choices.iter().map(Vec::len).max().unwrap_or_default();
        let text = |round: usize| {
            let mut text = query.to_owned();
            for (word, choices) in words.iter().zip(&choices).rev() {
                let form = choices.get(round).or(choices.first()).filter(|form| !form.is_empty());
                // Use a phrase, so that typos don't match.
                if let Some(form) = form {
                    text.replace_range(word.at.clone(), &format!("\"{form}\""));
                }
            }
            text
        };
        let texts = (0..rounds).map(text).filter(|text| text != query);
        texts.map(|text| (text, lang)).collect()
    }

    /// Returns likely spellings of the query's words. Known words stay as they are. For each other word, returns the
    /// nearest words in the visitor's language, or in any language if the visitor's has none.
    pub fn near(&self, query: &str, lang: Lang) -> Vec<KnownSpelling> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        plain_words(query).iter().take(MAX_WORDS).flat_map(|word| vocabulary.near(word, lang)).collect()
    }

    /// Returns the query with words typed by their reading replaced by the words in titles, or `None` if there are no
    /// such words.
    pub fn written(&self, query: &str, lang: Lang) -> Option<String> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let mut written = query.to_owned();
        // Start from the end, so that the positions of earlier words stay valid.
        for word in plain_words(query).iter().take(MAX_WORDS).rev() {
            if let Some(known) = vocabulary.written(word, lang) {
                written.replace_range(word.at.clone(), known);
            }
        }
        (written != query).then_some(written)
    }

    /// Loads the words if any node has learned them again since the last call.
    pub async fn load(&self, pool: &PgPool) -> ApiResult<()> {
        let learned_at = words::learned_at(pool).await?;
        if learned_at == self.0.read().unwrap_or_else(PoisonError::into_inner).learned_at {
            return Ok(());
        }
        let lists = words::load(pool).await?;
        let vocabulary = spawn_blocking(move || Vocabulary::new(&lists)).await.map_err(ApiError::internal)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(vocabulary);
        Ok(())
    }
}

/// Returns the candidates for a query word. If titles in the language have the word itself, an empty candidate stands
/// for it. The word's other forms follow.
fn choices(vocabulary: &Vocabulary, word: &str, lang: Lang) -> Vec<String> {
    let itself = vocabulary.knows(word, lang).then(String::new);
    itself.into_iter().chain(vocabulary.forms(word, lang).into_iter().map(str::to_owned)).collect()
}
