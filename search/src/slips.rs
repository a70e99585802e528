//! Words that nothing is written with: whatever a search for them finds, the engine forgave a slip for.

use lantern_config::Lang;
use lantern_index::{Filter, text};

use super::{outcome::Outcome, request::SearchRequest};
use crate::{
    index::{Found, Hit, VideoDoc, VideoQuery},
    lexicon::Lexicon,
};

/// Words of a search that may be slips, in every way to read them, as they are looked for to the letter.
pub struct Slips(Vec<String>);

impl Slips {
    /// Those that no title has, no meaning is known of and no hit shows.
    pub fn new(lexicon: &Lexicon, ask: &SearchRequest, outcome: &Outcome) -> Self {
        let means = |word: &str| Lang::ALL.iter().any(|lang| lexicon.meanings.knows(word, *lang));
        let unknown = lexicon.words.unknown(&ask.text).into_iter();
        let unknown = unknown.filter(|word| {
            let shows = |video: &VideoDoc| shows(video, ask.lang, &word.spelled);
            !means(&ask.text[word.at.clone()]) && !outcome.found.hits.iter().any(shows)
        });
        let readings = unknown.flat_map(|word| text::all_readings(&format!("\"{}\"", &ask.text[word.at]), ask.lang));
        Self(readings.collect())
    }

    /// Whether every word may be right.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What tells whether any text has one of them after all, by `search_on`.
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

    /// Whether they are, by what [`Self::queries`] found.
    pub fn are_sure(&self, found: &[Found<Hit>]) -> bool {
        !self.is_empty() && found.iter().all(|found| found.total == 0)
    }
}

/// Whether a visitor reads the word in the video's title or the names of its models.
fn shows(video: &VideoDoc, lang: Lang, spelled: &str) -> bool {
    words_shown(video, lang).any(|word| text::spelled(&word) == spelled)
}

/// The words that a visitor reads of a video.
pub fn words_shown(video: &VideoDoc, lang: Lang) -> impl Iterator<Item = String> {
    let titles = [video.shown_title(lang).text, &video.title];
    let texts = titles.into_iter().chain(video.model_titles.iter().map(String::as_str));
    texts.flat_map(text::title_words)
}
