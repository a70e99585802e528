//! Detects typos, which are query words that occur nowhere, so that any hits come only from the engine's typo
//! tolerance.

use lantern_config::Lang;
use lantern_index::{Filter, text};

use super::{outcome::Outcome, request::SearchRequest};
use crate::{
    index::{Found, Hit, VideoDoc, VideoQuery},
    lexicon::Lexicon,
};

/// Query words that may be typos, in every language variant, as exact phrases.
pub struct PossibleTypos(Vec<String>);

impl PossibleTypos {
    /// Collects the words that no title has, that have no known meaning and that no hit shows.
    pub fn new(lexicon: &Lexicon, request: &SearchRequest, outcome: &Outcome) -> Self {
        let has_meaning = |word: &str| Lang::ALL.iter().any(|lang| lexicon.meanings.knows(word, *lang));
        let unknown = lexicon.words.unknown(&request.text).into_iter();
        let unknown = unknown.filter(|word| {
            let is_shown = |video: &VideoDoc| is_shown(video, request.lang, &word.spelled);
            !has_meaning(&request.text[word.at.clone()]) && !outcome.found.hits.iter().any(is_shown)
        });
        let readings =
            unknown.flat_map(|word| text::all_readings(&format!("\"{}\"", &request.text[word.at]), request.lang));
        Self(readings.collect())
    }

    /// Whether there are no words that may be typos.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the engine queries that search for the words exactly as typed, in the fields `search_on`.
    pub fn queries<'a>(&'a self, search_on: &'a [&'a str]) -> impl Iterator<Item = VideoQuery<'a>> {
        self.0.iter().map(move |word| VideoQuery {
            text: Some(word),
            fields: &[],
            counts: &[],
            exact: false,
            search_on,
            ..VideoQuery::new(Filter::all(None))
        })
    }

    /// Whether the words are typos, according to the results of [`Self::queries`].
    pub fn are_confirmed(&self, found: &[Found<Hit>]) -> bool {
        !self.is_empty() && found.iter().all(|found| found.total == 0)
    }
}

/// Whether the video's shown title, its original title or the names of its models contain the word.
fn is_shown(video: &VideoDoc, lang: Lang, spelled: &str) -> bool {
    shown_words(video, lang).any(|word| text::spelled(&word) == spelled)
}

/// Returns the words in a video's titles and in the names of its models.
pub fn shown_words(video: &VideoDoc, lang: Lang) -> impl Iterator<Item = String> {
    let titles = [video.shown_title(lang).text, &video.title];
    let texts = titles.into_iter().chain(video.model_titles.iter().map(String::as_str));
    texts.flat_map(text::title_words)
}
