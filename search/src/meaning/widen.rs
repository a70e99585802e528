//! Extends a search with few hits by other forms, compounds and synonyms. The result is one list that starts with the
//! hits.

use std::collections::HashSet;

use lantern_config::{Config, Lang};
use lantern_errors::ApiResult;
use lantern_index::{Filter, SearchClient, text};

use super::graph::{Alternative, literal_readings};
use crate::{
    index::{Found, Hit, Reader, VideoQuery, find_many, video_id},
    lexicon::Lexicon,
    prepared::PreparedSearch,
    relax::Relaxation,
    request::SearchRequest,
};

/// Maximum number of alternative queries per search, which covers ten languages, some with two alternatives.
const MAX_ALTERNATIVES: usize = 16;

/// Alternative queries of a search.
pub struct AlternativeQueries {
    prepared: PreparedSearch,
    most: usize,
    /// Variants of the query itself: exactly as typed in any language, with compounds, or with the parts of compounds.
    own: Vec<String>,
    /// The query with other forms of its words.
    forms: Vec<Form>,
    /// The query with synonyms.
    synonyms: Vec<Alternative>,
}

/// A query with another form of a word.
struct Form {
    /// Text to show.
    text: String,
    /// Query for the engine.
    reading: String,
    /// Whether it is in the visitor's language.
    is_own: bool,
}

/// Ids of the videos found by [`AlternativeQueries`].
#[derive(Default, Clone)]
pub struct AlternativeVideos {
    /// Videos found by the query itself.
    pub own: Vec<i64>,
    /// Videos found by other forms of its words, for each query.
    pub forms: Vec<(String, Vec<i64>)>,
    /// Videos found by synonyms, for each query.
    synonyms: Vec<(String, Vec<i64>)>,
    /// Whether all synonyms belong to the words as typed.
    is_sure: bool,
    /// Videos found by one of its words, for each query.
    words: Vec<(String, Vec<i64>)>,
    /// Videos in `words` that match the other words through synonyms.
    likely: HashSet<i64>,
}

impl AlternativeQueries {
    /// Looks up the alternatives of a search.
    pub fn new(lexicon: &Lexicon, config: &Config, now: i64, request: &SearchRequest) -> Self {
        let alternatives = lexicon.meanings.alternatives(&request.text, request.lang, MAX_ALTERNATIVES);
        let permitted = alternatives.into_iter().filter(|one| !lexicon.prohibited.found_in(&one.text));
        let synonyms: Vec<Alternative> = permitted.collect();
        let is_known = synonyms.iter().any(|one| one.is_sure);
        let own = if is_known { literal_readings(&request.text, request.lang) } else { Vec::new() };
        let prepared = PreparedSearch::new(now, request);
        Self { prepared, most: config.listing.meant_hits, own, forms: Vec::new(), synonyms }
    }

    /// Prepares all alternatives for a search with few hits, whose first language variant is in `lang`.
    pub fn of(lexicon: &Lexicon, reader: &Reader, request: &SearchRequest, lang: Lang) -> Self {
        Self::new(lexicon, &reader.config, reader.now(), request)
            .with_compounds(lexicon, request, lang)
            .with_forms(lexicon, request, lang)
    }

    /// Adds compounds in `lang` that contain a word from the query, and the parts of a compound.
    fn with_compounds(mut self, lexicon: &Lexicon, request: &SearchRequest, lang: Lang) -> Self {
        let compounds = lexicon.words.compounds(&request.text, lang).into_iter();
        self.own.extend(compounds.filter(|text| !lexicon.prohibited.found_in(text)).map(|one| text::query(&one, lang)));
        self
    }

    /// Adds other forms of the query's words that occur in titles.
    fn with_forms(mut self, lexicon: &Lexicon, request: &SearchRequest, lang: Lang) -> Self {
        let others = text::langs_of(&request.text, request.lang).into_iter().filter(|other| *other != lang);
        let forms = lexicon.words.forms(&request.text, std::iter::once(lang).chain(others)).into_iter();
        let permitted = forms.filter(|(text, _)| !lexicon.prohibited.found_in(text));
        let shown = |text: &str| text.replace('"', "");
        let form = |(text, lang): (String, Lang)| Form {
            text: shown(&text),
            reading: text::query(&text, lang),
            is_own: lang == request.lang,
        };
        self.forms.extend(permitted.map(form));
        self
    }

    /// Returns the engine queries for ids. Variants in the visitor's language search the fields `own`, others search
    /// `all`.
    pub fn queries<'a>(&'a self, own: &'a [&'a str], all: &'a [&'a str]) -> Vec<VideoQuery<'a>> {
        let words = self.own.iter().map(|reading| (reading, all));
        let forms = self.forms.iter().map(|form| (&form.reading, if form.is_own { own } else { all }));
        let synonyms = self.synonyms.iter().map(|one| (&one.reading, all));
        let readings = words.chain(forms).chain(synonyms);
        readings.map(|(reading, fields)| ids_only(self.prepared.query(reading, fields), self.most)).collect()
    }

    /// Returns the text to show and the query for the engine of each alternative.
    pub fn readings<'a>(&'a self, request: &'a SearchRequest) -> impl Iterator<Item = (&'a String, &'a String)> {
        let own = self.own.iter().map(|reading| (&request.text, reading));
        let own = own.chain(self.forms.iter().map(|form| (&form.text, &form.reading)));
        own.chain(self.synonyms.iter().map(|one| (&one.text, &one.reading)))
    }

    /// Reads the results of [`Self::queries`].
    pub fn read(self, found: &[Found<Hit>]) -> ApiResult<AlternativeVideos> {
        let mut lists = found.iter().map(|found| ids(&found.hits));
        let own = lists.by_ref().take(self.own.len()).collect::<ApiResult<Vec<_>>>()?.concat();
        let is_sure = self.synonyms.iter().all(|one| one.is_sure);
        let mut named = |texts: Vec<String>| {
            texts.into_iter().zip(lists.by_ref()).map(|(text, ids)| Ok((text, ids?))).collect::<ApiResult<Vec<_>>>()
        };
        let forms = named(self.forms.into_iter().map(|form| form.text).collect())?;
        let synonyms = named(self.synonyms.into_iter().map(|one| one.text).collect())?;
        Ok(AlternativeVideos { own, forms, synonyms, is_sure, ..AlternativeVideos::default() })
    }
}

impl AlternativeVideos {
    /// Whether no synonym found anything.
    pub fn is_empty(&self) -> bool {
        self.synonyms.iter().all(|(_, ids)| ids.is_empty())
    }

    /// Whether the query's words found something, in any form.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty() || self.has_forms()
    }

    /// Whether other forms of the query's words found something.
    pub fn has_forms(&self) -> bool {
        self.forms.iter().any(|(_, ids)| !ids.is_empty())
    }

    /// Counts hits for other forms as hits for the query if the words as typed have no hits. Also returns the texts of
    /// these forms.
    pub fn own_or_forms(mut self) -> (Self, Vec<String>) {
        let forms = if self.own.is_empty() { std::mem::take(&mut self.forms) } else { Vec::new() };
        let (mut texts, mut lists): (Vec<String>, Vec<Vec<i64>>) =
            forms.into_iter().filter(|(_, ids)| !ids.is_empty()).unzip();
        self.own.extend(lists.drain(..).flatten());
        let mut seen = HashSet::new();
        self.own.retain(|id| seen.insert(*id));
        texts.dedup();
        (self, texts)
    }

    /// Removes the synonyms unless all of them belong to the words as typed.
    pub fn only_sure(self) -> Self {
        if self.is_sure { self } else { Self { synonyms: Vec::new(), ..self } }
    }

    /// Removes the synonyms.
    pub fn without_synonyms(self) -> Self {
        let likely = self.synonyms.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        Self { synonyms: Vec::new(), likely, ..self }
    }

    /// Adds the results of another search.
    pub fn add(&mut self, other: Self) {
        self.own.extend(other.own);
        self.forms.extend(other.forms);
        self.synonyms.extend(other.synonyms);
        self.is_sure |= other.is_sure;
    }

    /// Appends the results for each word after all others. The shortest list comes first, because rare words are more
    /// specific.
    pub fn with_words(mut self, mut words: Vec<(String, Vec<i64>)>) -> Self {
        words.sort_by_key(|(_, ids)| ids.len());
        words.iter_mut().for_each(|(_, ids)| ids.sort_by_key(|id| !self.likely.contains(id)));
        self.words = words;
        self
    }

    /// Merges the lists into at most `most` ids. The ids in `first` and those found by the query itself come first,
    /// then those found by synonyms, then those found by single words. Also returns the texts that added an id, and the
    /// relaxations that were applied.
    pub fn merge(self, first: Vec<i64>, most: usize) -> (Vec<i64>, Vec<String>, Vec<Relaxation>) {
        let (mut seen, mut all, mut texts) = (HashSet::new(), Vec::new(), Vec::new());
        let mut add = |ids: Vec<i64>| {
            let before = all.len();
            all.extend(ids.into_iter().filter(|id| seen.insert(*id)));
            all.truncate(most);
            all.len() > before
        };
        add(first);
        add(self.own);
        let mut relaxed = Vec::new();
        for (by, lists) in [(Relaxation::Meaning, self.synonyms), (Relaxation::Words, self.words)] {
            for (text, ids) in lists {
                if add(ids) && !texts.contains(&text) {
                    texts.push(text);
                    relaxed.push(by);
                }
            }
        }
        relaxed.dedup();
        (all, texts, relaxed)
    }
}

/// Returns the same query for ids only.
pub fn ids_only(query: VideoQuery<'_>, limit: usize) -> VideoQuery<'_> {
    VideoQuery { offset: 0, limit, fields: &["id"], counts: &[], exact: false, ..query }
}

/// Returns the ids that a query of [`ids_only`] found.
pub fn ids(hits: &[Hit]) -> ApiResult<Vec<i64>> {
    hits.iter().map(video_id).collect()
}

/// Loads a page from a list of ids, in the list's order or in the requested one.
pub async fn page(search: &SearchClient, prepared: &PreparedSearch, ids: &[i64]) -> ApiResult<Found<Hit>> {
    let all = VideoQuery::new(Filter::in_("id", ids.iter().copied()));
    let sort = prepared.sort();
    let shown = if sort.is_empty() {
        ids.iter().skip(prepared.offset).take(prepared.limit).copied().collect()
    } else {
        Vec::new()
    };
    let videos = if sort.is_empty() {
        VideoQuery {
            filter: Filter::in_("id", shown.iter().copied()),
            limit: prepared.limit,
            counts: &[],
            ..all.clone()
        }
    } else {
        VideoQuery { sort, offset: prepared.offset, limit: prepared.limit, counts: &[], ..all.clone() }
    };
    let mut found = find_many(search, &[all, videos]).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (whole, mut page) = (next(), next());
    if sort.is_empty() {
        let place = |hit: Hit| video_id(&hit).map(|id| (shown.iter().position(|one| *one == id), hit));
        let mut placed = page.hits.into_iter().map(place).collect::<ApiResult<Vec<_>>>()?;
        placed.sort_by_key(|(place, _)| *place);
        page.hits = placed.into_iter().map(|(_, hit)| hit).collect();
    }
    Ok(Found { total: ids.len(), counts: whole.counts, took: whole.took + page.took, ..page })
}

/// Returns the query without the words that must match, or `None` if it excludes nothing.
pub fn exclusions(request: &SearchRequest) -> Option<String> {
    let excluded = text::excluded(&request.text);
    (!excluded.is_empty()).then(|| text::query(&excluded, request.lang))
}
