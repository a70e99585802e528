//! A search with its language variants and fields, in a form from which engine queries can borrow.

use lantern_config::Lang;
use lantern_index::{Filter, IndexName, settings, text};

use super::{lexicon::Lexicon, request::SearchRequest};
use crate::index::{self, VideoQuery};

/// Fields in which the words of a query are searched.
pub struct SearchedFields {
    /// Fields in the visitor's language.
    pub own: Vec<String>,
    /// Fields in all languages.
    pub all: Vec<String>,
    /// Fields to search first: those in the visitor's language and in the query's languages.
    pub first: Vec<String>,
    /// Language of the first variant.
    pub lang: Lang,
}

impl SearchedFields {
    /// Returns the fields of `index` for the language of the request.
    pub fn new(index: IndexName, request: &SearchRequest) -> Self {
        let own = settings::searched(index, Some(request.lang));
        Self { first: own.clone(), own, all: settings::searched(index, None), lang: request.lang }
    }

    /// Whether the query is in a language other than the visitor's.
    pub fn is_foreign(&self) -> bool {
        self.first.len() > self.own.len()
    }
}

/// Returns the first language variant of a query and its fields. If titles in the visitor's language lack words that
/// another language has, both languages are searched.
pub fn first_reading(lexicon: &Lexicon, request: &SearchRequest) -> (String, SearchedFields) {
    let mut fields = SearchedFields::new(IndexName::Videos, request);
    let langs =
        lexicon.words.foreign_langs(&request.text, request.lang, |word| lexicon.meanings.knows(word, request.lang));
    fields.lang = langs.first().copied().unwrap_or(request.lang);
    let reading = text::query(&request.text, fields.lang);
    // In a language with a different stem, this variant would match nothing.
    for lang in langs.into_iter().filter(|lang| text::query(&request.text, *lang) == reading) {
        let more = settings::searched(IndexName::Videos, Some(lang)).into_iter();
        let more: Vec<String> = more.filter(|field| !fields.first.contains(field)).collect();
        fields.first.extend(more);
    }
    (reading, fields)
}

/// Borrows the fields for an engine query.
pub fn as_strs(fields: &[String]) -> Vec<&str> {
    fields.iter().map(String::as_str).collect()
}

/// A search with everything that its engine queries borrow.
#[derive(Clone)]
pub struct PreparedSearch {
    /// Language variants of the query, likeliest first.
    pub readings: Vec<String>,
    filter: Filter,
    sort: Vec<&'static str>,
    /// Index of the first hit.
    pub offset: usize,
    /// Maximum number of hits.
    pub limit: usize,
}

impl PreparedSearch {
    /// Prepares the requested page.
    pub fn new(now: i64, request: &SearchRequest) -> Self {
        Self {
            readings: text::readings(&request.text, request.lang),
            filter: request.filter(now),
            sort: index::video_sort(&request.list).map(Vec::from).unwrap_or_default(),
            offset: request.list.offset(),
            limit: request.list.count as usize,
        }
    }

    /// Prepares a query that only counts videos.
    pub fn count_only(now: i64, request: &SearchRequest) -> Self {
        Self { offset: 0, limit: 0, ..Self::new(now, request) }
    }

    /// Puts a language variant before the others.
    pub fn prepend_reading(&mut self, reading: String) {
        self.readings.retain(|known| *known != reading);
        self.readings.insert(0, reading);
    }

    /// Appends all other language variants.
    pub fn append_all_readings(&mut self, request: &SearchRequest) {
        let others = text::all_readings(&request.text, request.lang);
        let others: Vec<String> = others.into_iter().filter(|reading| !self.readings.contains(reading)).collect();
        self.readings.extend(others);
    }

    /// Filter of the list.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Requested order. If empty, hits are ordered by relevance.
    pub fn sort(&self) -> &[&'static str] {
        &self.sort
    }

    /// Returns the engine query for a language variant. Every word of it must match.
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
