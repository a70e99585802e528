//! A search with the fields it is looked for in and the ways to read it, as its queries borrow them.

use lantern_config::Lang;
use lantern_index::{Filter, IndexName, settings, text};

use super::{lexicon::Lexicon, request::SearchRequest};
use crate::index::{self, VideoQuery};

/// Fields to look for words in.
pub struct SearchedFields {
    pub own: Vec<String>,
    pub all: Vec<String>,
    /// Where the search is looked for first: of the visitor's language and of those that it is written in.
    pub first: Vec<String>,
    /// The language it is read in first.
    pub lang: Lang,
}

impl SearchedFields {
    pub fn of(index: IndexName, ask: &SearchRequest) -> Self {
        let own = settings::searched(index, Some(ask.lang));
        Self { first: own.clone(), own, all: settings::searched(index, None), lang: ask.lang }
    }

    /// Whether the search is written in another language than the visitor's.
    pub fn is_foreign(&self) -> bool {
        self.first.len() > self.own.len()
    }
}

/// How a search is read first, and where that is looked for: in words that titles of another language have and none of the visitor's
/// it is looked for in both.
pub fn first_fields(lexicon: &Lexicon, ask: &SearchRequest) -> (String, SearchedFields) {
    let mut fields = SearchedFields::of(IndexName::Videos, ask);
    let langs = lexicon.words.foreign_langs(&ask.text, ask.lang, |word| lexicon.meanings.knows(word, ask.lang));
    fields.lang = langs.first().copied().unwrap_or(ask.lang);
    let reading = text::query(&ask.text, fields.lang);
    // Languages that cut other endings would be asked in vain.
    for lang in langs.into_iter().filter(|lang| text::query(&ask.text, *lang) == reading) {
        let more = settings::searched(IndexName::Videos, Some(lang)).into_iter();
        let more: Vec<String> = more.filter(|field| !fields.first.contains(field)).collect();
        fields.first.extend(more);
    }
    (reading, fields)
}

/// The fields as the queries borrow them.
pub fn names(fields: &[String]) -> Vec<&str> {
    fields.iter().map(String::as_str).collect()
}

/// A search with everything its queries borrow.
#[derive(Clone)]
pub struct PreparedSearch {
    /// The ways to read its text, likeliest first.
    pub readings: Vec<String>,
    filter: Filter,
    sort: Vec<&'static str>,
    pub offset: usize,
    pub limit: usize,
}

impl PreparedSearch {
    /// The page that is asked for.
    pub fn new(now: i64, ask: &SearchRequest) -> Self {
        Self {
            readings: text::readings(&ask.text, ask.lang),
            filter: ask.filter(now),
            sort: index::video_sort(&ask.list).map(Vec::from).unwrap_or_default(),
            offset: ask.list.offset(),
            limit: ask.list.count as usize,
        }
    }

    /// Of which only the number of videos is asked.
    pub fn counting(now: i64, ask: &SearchRequest) -> Self {
        Self { offset: 0, limit: 0, ..Self::new(now, ask) }
    }

    /// With a reading before the others.
    pub fn read_first(&mut self, reading: String) {
        self.readings.retain(|known| *known != reading);
        self.readings.insert(0, reading);
    }

    /// With every other reading behind these.
    pub fn read_in_all(&mut self, ask: &SearchRequest) {
        let others = text::all_readings(&ask.text, ask.lang);
        let others: Vec<String> = others.into_iter().filter(|reading| !self.readings.contains(reading)).collect();
        self.readings.extend(others);
    }

    /// What a video must be.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The order that was asked for; relevance when empty.
    pub fn sort(&self) -> &[&'static str] {
        &self.sort
    }

    /// Every word of a reading must match.
    pub fn query<'a>(&'a self, reading: &'a str, search_on: &'a [&'a str]) -> VideoQuery<'a> {
        VideoQuery {
            text: Some(reading),
            sort: &self.sort,
            offset: self.offset,
            limit: self.limit,
            search_on,
            ..VideoQuery::new(self.filter.clone())
        }
    }
}
