//! A search with its language variants and fields, in a form from which engine queries can borrow.

use lantern_config::Lang;
use lantern_index::{Filter, IndexName, settings, text};

use super::{lexicon::Lexicon, request::SearchRequest};
use crate::index::{Reader, VideoQuery};

/// A search with everything that its round trips need.
pub struct Search<'a> {
    /// Index and settings.
    pub reader: &'a Reader,
    /// Known words.
    pub lexicon: &'a Lexicon,
    /// The search.
    pub request: &'a SearchRequest,
    /// Fields in which its words are searched.
    pub fields: SearchedFields,
    /// The search in its likely language variants.
    pub prepared: PreparedSearch,
}

impl<'a> Search<'a> {
    /// Prepares the search.
    pub fn new(reader: &'a Reader, lexicon: &'a Lexicon, request: &'a SearchRequest) -> Self {
        let (reading, fields) = first_reading(lexicon, request);
        let mut prepared = PreparedSearch::new(reader.now(), request);
        prepared.readings.retain(|known| *known != reading);
        prepared.readings.insert(0, reading);
        Self { reader, lexicon, request, fields, prepared }
    }

    /// Returns the query of the first round trip.
    pub fn first_query(&self) -> VideoQuery<'_> {
        self.prepared.first_query(&self.fields.first)
    }
}

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
fn first_reading(lexicon: &Lexicon, request: &SearchRequest) -> (String, SearchedFields) {
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

/// Language variants, filter, order and page of a search.
#[derive(Clone)]
pub struct PreparedSearch {
    /// Language variants of the query, likeliest first.
    pub readings: Vec<String>,
    /// Filter of the list.
    pub filter: Filter,
    /// Requested order. If empty, hits are ordered by relevance.
    pub sort: Vec<&'static str>,
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
            sort: request.list.sort_keys().map(Vec::from).unwrap_or_default(),
            offset: request.list.offset(),
            limit: request.list.count as usize,
        }
    }

    /// Appends all other language variants.
    pub fn append_all_readings(&mut self, request: &SearchRequest) {
        let others = text::all_readings(&request.text, request.lang);
        let others: Vec<String> = others.into_iter().filter(|reading| !self.readings.contains(reading)).collect();
        self.readings.extend(others);
    }

    /// Returns the engine query for a language variant. Every word of it must match.
    pub fn query<'a>(&'a self, reading: &'a str, fields: &'a [String]) -> VideoQuery<'a> {
        VideoQuery {
            sort: &self.sort,
            offset: self.offset,
            limit: self.limit,
            ..VideoQuery::matching(self.filter.clone(), reading, fields)
        }
    }

    /// Returns the engine query for the first language variant.
    pub fn first_query<'a>(&'a self, fields: &'a [String]) -> VideoQuery<'a> {
        self.query(&self.readings[0], fields)
    }

    /// Returns the engine query that only counts the videos of the first language variant.
    pub fn count_query<'a>(&'a self, fields: &'a [String]) -> VideoQuery<'a> {
        VideoQuery { offset: 0, limit: 0, fields: &[], counts: &[], sort: &[], ..self.first_query(fields) }
    }
}
