//! What is known about a search with few hits, and what the strategies do with it.

use std::collections::HashSet;

use lantern_errors::ApiResult;
use lantern_index::text;

use crate::{
    corrections::{self, Hints},
    doubts::Doubts,
    index::{self, Found, Hit, VideoDoc, VideoQuery, find_lists, find_many},
    meaning::widen::{self, Addition, AlternativeVideos, Alternatives, ids_only},
    outcome::Outcome,
    parts::{Parts, ShownParts},
    prepared::{PreparedSearch, Search},
    relax::{Relaxation, each_word, without_filters},
    request::SearchRequest,
};

/// A search with few hits and the results of its second round trip.
pub struct State<'a> {
    pub search: &'a Search<'a>,
    pub doubts: Doubts,
    /// Whether the hits come only from typos.
    are_typos: bool,
    /// Other language variants and relaxed searches. Empty if the first round trip found something.
    pub parts: Parts,
    pub shown: Option<ShownParts>,
    pub alternatives: AlternativeVideos,
    hints: Hints,
    /// Results of the queries of `hints`.
    hinted: Vec<Found<Hit>>,
    /// The search without the filters that may be dropped.
    pub unfiltered: SearchRequest,
    /// These filters.
    pub filters: Vec<Relaxation>,
    pub outcome: Outcome,
}

impl<'a> State<'a> {
    /// Sends the queries of all strategies in one multi-search.
    pub async fn new(search: &'a Search<'a>, doubts: Doubts, mut outcome: Outcome) -> ApiResult<Self> {
        let fields = &search.fields;
        let parts = if outcome.hits > 0 { Parts::default() } else { Parts::new(search) };
        let alternatives = Alternatives::all(search);
        let hints = Hints::new(search);
        // LikelyVariants, AnyVariant and FewerConditions read the results of the parts, Spelling those of the hints and
        // typos, and the others those of the alternatives.
        let queries =
            [parts.queries(fields), alternatives.queries(fields), hints.queries(), doubts.queries(&fields.all)];
        let [found, alternative, hinted, typos] = find_lists(&search.reader.search, queries).await?;
        let shown = parts.merge(search, found).await?;
        let alternatives = alternatives.read(alternative)?;
        let are_typos = doubts.are_typos(&typos);
        // If titles have another form of a word, the word is not a typo for a similar one.
        if are_typos && alternatives.has_forms() {
            (outcome.hits, outcome.found) = (0, Found::default());
        }
        let (unfiltered, filters) = without_filters(search.request);
        Ok(Self { search, doubts, are_typos, parts, shown, alternatives, hints, hinted, unfiltered, filters, outcome })
    }

    /// Returns the videos found by synonyms if all synonyms belong to the words as typed.
    pub fn sure_synonyms(&self) -> &[Addition] {
        if self.alternatives.is_sure { &self.alternatives.synonyms } else { &[] }
    }

    /// Whether there are so few hits that synonyms are appended.
    fn needs_synonyms(&self) -> bool {
        let listing = &self.search.reader.config.listing;
        // The synonyms of a foreign word are what the visitor would have typed in their own language.
        let few = if self.search.fields.is_foreign() { listing.few_hits } else { listing.few_meant };
        self.outcome.hits < few
    }

    /// Shows the videos found by the search itself or with fewer conditions, or the relaxations that found nothing.
    pub fn show_parts(&mut self) -> ApiResult<()> {
        let outcome = &mut self.outcome;
        let Some(shown) = &mut self.shown else {
            outcome.tried = self.parts.last_relaxed();
            return Ok(());
        };
        outcome.show(std::mem::take(&mut shown.found).read()?);
        if shown.relaxed.is_empty() {
            outcome.hits = outcome.found.total;
        }
        outcome.relaxed.clone_from(&shown.relaxed);
        outcome.shown.clone_from(&shown.texts);
        Ok(())
    }

    /// Shows the videos found by the words themselves, followed by synonyms if there are few.
    pub async fn take_forms(&mut self) -> ApiResult<()> {
        let (ids, forms) = self.alternatives.own_or_forms();
        if !forms.is_empty() {
            self.outcome.shown = forms;
        }
        self.outcome.hits = ids.len();
        let synonyms = if self.needs_synonyms() { self.sure_synonyms().to_vec() } else { Vec::new() };
        self.append(ids, synonyms).await
    }

    /// Appends videos found by synonyms to the few hits of the search itself, then videos with one of its words. With any
    /// order other than relevance, the latter would be mixed with the hits.
    pub async fn append_related(&mut self) -> ApiResult<()> {
        let Search { reader, request, fields, prepared, .. } = self.search;
        let words = if prepared.sort.is_empty() { each_word(request) } else { Vec::new() };
        let (mut additions, unused) = match self.needs_synonyms() {
            true => (self.sure_synonyms().to_vec(), &[][..]),
            false => (Vec::new(), self.sure_synonyms()),
        };
        if words.is_empty() && additions.is_empty() && self.alternatives.own.is_empty() {
            return Ok(());
        }
        let most = reader.config.listing.meant_hits;
        let alone: Vec<PreparedSearch> = words.iter().map(|word| PreparedSearch::new(reader.now(), word)).collect();
        let alone = alone.iter().map(|word| ids_only(word.first_query(&fields.own), most));
        let itself = match &self.shown {
            Some(shown) => prepared.query(&prepared.readings[shown.reading - 1], &fields.all),
            None => self.search.first_query(),
        };
        let itself = std::iter::once(ids_only(itself, self.outcome.hits));
        let queries: Vec<VideoQuery<'_>> = itself.chain(alone).collect();
        let found = find_many(&reader.search, &queries).await?;
        let mut found = found.iter().map(widen::ids);
        let mut first = found.next().transpose()?.unwrap_or_default();
        first.extend(&self.alternatives.own);
        let likely: HashSet<i64> = unused.iter().flat_map(|synonym| &synonym.ids).copied().collect();
        let word = |(request, ids): (&SearchRequest, ApiResult<Vec<i64>>)| {
            let mut ids = ids?;
            ids.sort_by_key(|id| !likely.contains(id));
            Ok(Addition { relaxed: Relaxation::Words, text: request.text.clone(), ids })
        };
        let mut words = words.iter().zip(found).map(word).collect::<ApiResult<Vec<_>>>()?;
        // Rare words are more specific.
        words.sort_by_key(|word| word.ids.len());
        additions.extend(words);
        self.append(first, additions).await
    }

    /// Shows `first`, the ids of all hits so far, followed by the additions.
    pub async fn append(&mut self, first: Vec<i64>, additions: Vec<Addition>) -> ApiResult<()> {
        let (ids, texts, relaxed) = widen::merge(first, additions, self.search.reader.config.listing.meant_hits);
        if ids.len() <= self.outcome.found.total {
            return Ok(());
        }
        self.outcome.show(widen::page(self.search, &ids).await?);
        if !texts.is_empty() {
            (self.outcome.shown, self.outcome.relaxed) = (texts, relaxed);
        }
        Ok(())
    }

    /// Suggests a better spelling. If the search has no hits or only doubtful ones, shows the hits for that spelling.
    /// Returns whether there is one.
    pub async fn correct_spelling(&mut self) -> ApiResult<bool> {
        let spelling = match &self.doubts.written {
            Some(written) => Some(written.clone()),
            None => self.hints.corrected(self.search, std::mem::take(&mut self.hinted))?,
        };
        // Hits found through a typo or by chance are no likelier than the nearest spelling.
        let to_beat = if self.are_typos || self.doubts.is_chance { 0 } else { self.outcome.hits };
        let Some(spelling) = spelling else { return Ok(false) };
        let Some(found) = corrections::confirm(self.search, &spelling, to_beat).await? else { return Ok(false) };
        let outcome = &mut self.outcome;
        if to_beat > 0 {
            // On later pages, the visitor has already seen the suggestion.
            outcome.did_you_mean = (self.search.request.list.page == 1).then_some(spelling);
            return Ok(true);
        }
        outcome.show(found.read()?);
        outcome.hits = 0;
        (outcome.shown, outcome.relaxed) = (vec![spelling], vec![Relaxation::Spelling]);
        Ok(true)
    }

    /// Shows videos that have synonyms of the `parts` of the unfiltered search. `relaxed` is what they relax.
    pub async fn take_synonyms(&mut self, parts: &[SearchRequest], relaxed: &[Relaxation]) -> ApiResult<()> {
        let search = self.search;
        let all: Vec<Alternatives> = parts.iter().map(|part| Alternatives::synonyms(search, part)).collect();
        let queries: Vec<VideoQuery<'_>> = all.iter().flat_map(|one| one.queries(&search.fields)).collect();
        let mut found = find_many(&search.reader.search, &queries).await?.into_iter();
        let (mut own, mut synonyms) = (Vec::new(), Vec::new());
        for one in &all {
            let videos = one.read(&mut found)?;
            own.extend(videos.own);
            synonyms.extend(videos.synonyms);
        }
        if !synonyms.is_empty() {
            self.append(own, synonyms).await?;
            self.outcome.relaxed = [&self.filters[..], relaxed].concat();
            self.outcome.tried.clear();
        }
        Ok(())
    }

    /// Shows one page of the most watched videos that pass the filters that are never dropped.
    pub async fn take_popular(&mut self) -> ApiResult<()> {
        let Search { reader, request, .. } = self.search;
        let PreparedSearch { filter, sort, limit, .. } = PreparedSearch::new(reader.now(), &self.unfiltered);
        let excluded = text::excluded(&request.text);
        let excluded = (!excluded.is_empty()).then(|| text::query(&excluded, request.lang));
        let query = VideoQuery {
            text: excluded.as_deref(),
            sort: if sort.is_empty() { &["viewed:desc", "id:desc"] } else { &sort },
            limit,
            counts: &[],
            exact: false,
            ..VideoQuery::new(filter)
        };
        let found = index::find::<VideoDoc>(reader, query).await?;
        if !found.hits.is_empty() {
            self.outcome.found = Found { total: found.hits.len(), ..found };
            self.outcome.relaxed = [&self.filters[..], &[Relaxation::Popular]].concat();
            self.outcome.tried.clear();
        }
        Ok(())
    }
}
