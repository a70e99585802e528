//! Alternatives to a query: compounds, other forms and synonyms of its words. They extend a search with few hits to one
//! list that starts with the hits.

use std::collections::HashSet;

use lantern_errors::ApiResult;
use lantern_index::{Filter, text};

use super::graph::{Alternative, literal_readings};
use crate::{
    index::{Found, Hit, VideoDoc, VideoQuery, find_many, video_id},
    prepared::{PreparedSearch, Search, SearchedFields},
    relax::Relaxation,
    request::SearchRequest,
};

/// Maximum number of alternative queries per search, which covers ten languages, some with two alternatives.
const MAX_ALTERNATIVES: usize = 16;

/// How an alternative differs from the query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The query itself: exactly as typed in any language, with compounds, or with the parts of compounds.
    Own,
    /// Another form of a word.
    Form,
    /// Synonyms.
    Synonym,
}

/// An alternative query.
struct AlternativeQuery {
    kind: Kind,
    /// Text to show.
    text: String,
    /// Query for the engine.
    reading: String,
    /// Whether to search only the fields in the visitor's language.
    is_own_lang: bool,
}

/// Alternative queries of a search.
pub struct Alternatives {
    prepared: PreparedSearch,
    most: usize,
    queries: Vec<AlternativeQuery>,
    /// Whether all synonyms belong to the words as typed.
    is_sure: bool,
}

/// Videos to append to the hits.
#[derive(Clone)]
pub struct Addition {
    /// What was relaxed to find them.
    pub relaxed: Relaxation,
    /// The query that found them.
    pub text: String,
    /// Their ids, best first.
    pub ids: Vec<i64>,
}

/// Videos found by [`Alternatives`].
#[derive(Default)]
pub struct AlternativeVideos {
    /// Ids of the videos found by the query itself.
    pub own: Vec<i64>,
    /// Ids of the videos found by other forms of its words, for each query.
    forms: Vec<(String, Vec<i64>)>,
    /// Videos found by synonyms.
    pub synonyms: Vec<Addition>,
    /// Whether all synonyms belong to the words as typed.
    pub is_sure: bool,
}

impl Alternatives {
    /// Prepares the alternatives with synonyms. `request` is the search or a part of it.
    pub fn synonyms(search: &Search<'_>, request: &SearchRequest) -> Self {
        let Search { reader, lexicon, .. } = search;
        let alternatives = lexicon.meanings.alternatives(&request.text, request.lang, MAX_ALTERNATIVES).into_iter();
        let synonyms: Vec<Alternative> = alternatives.filter(|one| !lexicon.prohibited.found_in(&one.text)).collect();
        let is_known = synonyms.iter().any(|one| one.is_sure);
        let own = if is_known { literal_readings(&request.text, request.lang) } else { Vec::new() };
        let mut all = Self {
            prepared: PreparedSearch::new(reader.now(), request),
            most: reader.config.listing.meant_hits,
            queries: Vec::new(),
            is_sure: synonyms.iter().all(|one| one.is_sure),
        };
        own.into_iter().for_each(|reading| all.push(Kind::Own, request.text.clone(), reading));
        synonyms.into_iter().for_each(|one| all.push(Kind::Synonym, one.text, one.reading));
        all
    }

    /// Prepares all alternatives of a search.
    pub fn all(search: &Search<'_>) -> Self {
        let Search { lexicon, request, fields, .. } = search;
        let mut all = Self::synonyms(search, request);
        let permitted = |text: &str| !lexicon.prohibited.found_in(text);
        for text in lexicon.words.compounds(&request.text, fields.lang).into_iter().filter(|text| permitted(text)) {
            all.push(Kind::Own, request.text.clone(), text::query(&text, fields.lang));
        }
        let others = text::langs_of(&request.text, request.lang).into_iter().filter(|other| *other != fields.lang);
        let forms = lexicon.words.forms(&request.text, std::iter::once(fields.lang).chain(others)).into_iter();
        all.queries.extend(forms.filter(|(text, _)| permitted(text)).map(|(text, lang)| AlternativeQuery {
            kind: Kind::Form,
            reading: text::query(&text, lang),
            text: text.replace('"', ""),
            is_own_lang: lang == request.lang,
        }));
        all.queries.sort_by_key(|one| one.kind);
        all
    }

    fn push(&mut self, kind: Kind, text: String, reading: String) {
        self.queries.push(AlternativeQuery { kind, text, reading, is_own_lang: false });
    }

    /// Returns the engine queries for ids.
    pub fn queries<'a>(&'a self, fields: &'a SearchedFields) -> Vec<VideoQuery<'a>> {
        let query = |one: &'a AlternativeQuery| {
            let fields = if one.is_own_lang { &fields.own } else { &fields.all };
            ids_only(self.prepared.query(&one.reading, fields), self.most)
        };
        self.queries.iter().map(query).collect()
    }

    /// Returns the text to show and the query for the engine of each alternative.
    pub fn readings(&self) -> impl Iterator<Item = (&String, &String)> {
        self.queries.iter().map(|one| (&one.text, &one.reading))
    }

    /// Reads the results of [`Self::queries`].
    pub fn read(&self, found: impl IntoIterator<Item = Found<Hit>>) -> ApiResult<AlternativeVideos> {
        let mut videos = AlternativeVideos { is_sure: self.is_sure, ..AlternativeVideos::default() };
        for (AlternativeQuery { kind, text, .. }, found) in self.queries.iter().zip(found) {
            let ids = ids(&found)?;
            match kind {
                _ if ids.is_empty() => {}
                Kind::Own => videos.own.extend(ids),
                Kind::Form => videos.forms.push((text.clone(), ids)),
                Kind::Synonym => {
                    videos.synonyms.push(Addition { relaxed: Relaxation::Meaning, text: text.clone(), ids });
                }
            }
        }
        Ok(videos)
    }
}

impl AlternativeVideos {
    /// Whether the query's words found something, in any form.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty() || self.has_forms()
    }

    /// Whether other forms of the query's words found something.
    pub fn has_forms(&self) -> bool {
        !self.forms.is_empty()
    }

    /// Returns the videos found by the query itself, or else those found by other forms of its words. Also returns the
    /// texts of these forms.
    pub fn own_or_forms(&self) -> (Vec<i64>, Vec<String>) {
        let forms = if self.own.is_empty() { &self.forms[..] } else { &[] };
        let mut texts: Vec<String> = forms.iter().map(|(text, _)| text.clone()).collect();
        texts.dedup();
        let mut seen = HashSet::new();
        let ids = self.own.iter().chain(forms.iter().flat_map(|(_, ids)| ids)).copied();
        (ids.filter(|id| seen.insert(*id)).collect(), texts)
    }
}

/// Merges the lists into at most `most` ids, starting with `first`. Also returns the texts that added an id, and the
/// relaxations that were applied.
pub fn merge(first: Vec<i64>, additions: Vec<Addition>, most: usize) -> (Vec<i64>, Vec<String>, Vec<Relaxation>) {
    let (mut seen, mut all, mut texts, mut relaxed) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
    let mut add = |ids: Vec<i64>| {
        let before = all.len();
        all.extend(ids.into_iter().filter(|id| seen.insert(*id)));
        all.truncate(most);
        all.len() > before
    };
    add(first);
    for addition in additions {
        if add(addition.ids) && !texts.contains(&addition.text) {
            texts.push(addition.text);
            relaxed.push(addition.relaxed);
        }
    }
    relaxed.dedup();
    (all, texts, relaxed)
}

/// Returns the same query for ids only.
pub fn ids_only(query: VideoQuery<'_>, limit: usize) -> VideoQuery<'_> {
    VideoQuery { offset: 0, limit, fields: &["id"], counts: &[], exact: false, ..query }
}

/// Returns the ids that a query of [`ids_only`] found.
pub fn ids(found: &Found<Hit>) -> ApiResult<Vec<i64>> {
    found.hits.iter().map(video_id).collect()
}

/// Loads the requested page from a list of ids, in the list's order or in the requested one.
pub async fn page(search: &Search<'_>, ids: &[i64]) -> ApiResult<Found<VideoDoc>> {
    let PreparedSearch { sort, offset, limit, .. } = &search.prepared;
    let all = |ids: &[i64]| VideoQuery::new(Filter::in_("id", ids.iter().copied()));
    let shown: Vec<i64> = ids.iter().skip(*offset).take(*limit).copied().collect();
    let videos = match sort.is_empty() {
        true => all(&shown),
        false => VideoQuery { sort, offset: *offset, ..all(ids) },
    };
    let videos = VideoQuery { limit: *limit, counts: &[], ..videos };
    let mut found = find_many(&search.reader.search, &[all(ids), videos]).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (whole, mut page) = (next(), next().read::<VideoDoc>()?);
    if sort.is_empty() {
        page.hits.sort_by_key(|video| shown.iter().position(|id| *id == video.id));
    }
    Ok(Found { total: ids.len(), counts: whole.counts, took: whole.took + page.took, ..page })
}
