//! Words of the titles that guests see: learned by one node for all, and what a misspelled word of a search probably is.

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
use super::spelling::{KnownSpelling, WORDS};

/// The words this node knows.
#[derive(Default)]
pub struct Words(RwLock<Arc<Vocabulary>>);

impl Words {
    /// The languages of a search's words that neither titles of the visitor's have nor `is_known`: those that have most of them; none where
    /// the visitor's has all. Japanese is searched by everybody.
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

    /// The words of a search that no title of a language has, neither so nor in another form nor as the beginning of a longer one; none of a
    /// sentence. Japanese is looked for to the letter.
    pub fn unknown(&self, query: &str) -> Vec<Word> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let words = plain_words(query);
        if vocabulary.learned_at.is_none() || words.len() > WORDS {
            return Vec::new();
        }
        let has_form = |word: &str| Lang::ALL.iter().any(|lang| vocabulary.knows(word, *lang));
        let is_known = |word: &Word| {
            word.japanese
                || !learn::is_word(&word.spelled)
                || vocabulary.begins(&word.spelled)
                || has_form(&query[word.at.clone()])
        };
        words.into_iter().filter(|word| !is_known(word)).collect()
    }

    /// The search with compounds of the language instead of a word that is a part of them, and with the parts of a compound.
    pub fn compounds(&self, query: &str, lang: Lang) -> Vec<String> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let mut found = Vec::new();
        for word in plain_words(query).iter().take(WORDS) {
            let mut instead = |words: &str| {
                let mut text = query.to_owned();
                text.replace_range(word.at.clone(), words);
                found.push(text);
            };
            for compound in vocabulary.compounds(&query[word.at.clone()], lang) {
                // A phrase, so that no slip is forgiven.
                instead(&format!("\"{compound}\""));
            }
            if let Some([head, tail]) = vocabulary.apart(&word.spelled, lang) {
                instead(&format!("\"{head}\" \"{tail}\""));
            }
        }
        found
    }

    /// The search with other forms of its words that titles have, in the first of these languages that knows any.
    pub fn forms(&self, query: &str, langs: impl IntoIterator<Item = Lang>) -> Vec<(String, Lang)> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let words = plain_words(query);
        if words.len() > WORDS {
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
                // A phrase, so that no slip is forgiven.
                if let Some(form) = form {
                    text.replace_range(word.at.clone(), &format!("\"{form}\""));
                }
            }
            text
        };
        let texts = (0..rounds).map(text).filter(|text| text != query);
        texts.map(|text| (text, lang)).collect()
    }

    /// What the words of a search probably are: a known word is itself, another one those of the visitor's language that differ least,
    /// or of any where that has none.
    pub fn near(&self, query: &str, lang: Lang) -> Vec<KnownSpelling> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        plain_words(query).iter().take(WORDS).flat_map(|word| vocabulary.near(word, lang)).collect()
    }

    /// The query with what is typed by its reading as titles write it; `None` where that is nothing.
    pub fn written(&self, query: &str, lang: Lang) -> Option<String> {
        let vocabulary = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let mut written = query.to_owned();
        // From the end, so that the places of the words before stay what they are.
        for word in plain_words(query).iter().take(WORDS).rev() {
            if let Some(known) = vocabulary.written(word, lang) {
                written.replace_range(word.at.clone(), known);
            }
        }
        (written != query).then_some(written)
    }

    /// Takes over what was learned since the last time, by whichever node.
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

/// What may stand for a word of a search: itself (nothing) where titles of the language know it, then its other forms.
fn choices(vocabulary: &Vocabulary, word: &str, lang: Lang) -> Vec<String> {
    let itself = vocabulary.knows(word, lang).then(String::new);
    itself.into_iter().chain(vocabulary.forms(word, lang).into_iter().map(str::to_owned)).collect()
}
