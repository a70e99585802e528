//! A search that finds little, together with what means the same: one list, what was asked for first.

use std::collections::HashSet;

use lantern_config::{Config, Lang};
use lantern_index::{Filter, SearchClient, text};

use super::graph::word_for_word;
use crate::{
    http::ApiResult,
    index::{Found, Hit, VideoQuery, find_many, video_id},
    search::{lexicon::Lexicon, prepared::PreparedSearch, relax::Relaxation, request::SearchRequest},
};

/// Searches in other words that are made for one: in ten languages, and some of them in two ways.
const ALTERNATIVES: usize = 16;

/// What else a search is asked as.
pub struct MeantQueries {
    prepared: PreparedSearch,
    most: usize,
    /// Of the search itself, word for word in any language.
    own: Vec<String>,
    /// In other words, as it is shown and as it is asked.
    others: Vec<(String, String)>,
}

/// The videos that these find, by id.
#[derive(Default)]
pub struct MeantVideos {
    /// Of the search itself.
    pub own: Vec<i64>,
    /// In other words, by list.
    others: Vec<(String, Vec<i64>)>,
    /// With one of its words.
    words: Vec<(String, Vec<i64>)>,
}

impl MeantQueries {
    pub fn new(lexicon: &Lexicon, config: &Config, now: i64, ask: &SearchRequest) -> Self {
        let alternatives = lexicon.meanings.alternatives(&ask.text, ask.lang, ALTERNATIVES);
        let may_be_said = alternatives.into_iter().filter(|one| !lexicon.prohibited.found_in(&one.text));
        let others: Vec<_> = may_be_said.map(|one| (one.text, one.reading)).collect();
        let own = if others.is_empty() { Vec::new() } else { word_for_word(&ask.text, ask.lang) };
        let prepared = PreparedSearch::new(now, ask);
        Self { prepared, most: config.listing.meant_hits, own, others }
    }

    /// With the compounds of `lang` that have a word of the search as a part, and the parts of a compound.
    pub fn with_compounds(mut self, lexicon: &Lexicon, ask: &SearchRequest, lang: Lang) -> Self {
        let compounds = lexicon.words.compounds(&ask.text, lang).into_iter();
        self.own.extend(compounds.filter(|text| !lexicon.prohibited.found_in(text)).map(|one| text::query(&one, lang)));
        self
    }

    /// The queries, which answer ids.
    pub fn queries<'a>(&'a self, all: &'a [&'a str]) -> Vec<VideoQuery<'a>> {
        let readings = self.own.iter().chain(self.others.iter().map(|(_, reading)| reading));
        readings.map(|reading| ids_of(self.prepared.query(reading, all), self.most)).collect()
    }

    /// What they found.
    pub fn read(self, found: &[Found<Hit>]) -> ApiResult<MeantVideos> {
        let mut lists = found.iter().map(|found| ids(&found.hits));
        let own = lists.by_ref().take(self.own.len()).collect::<ApiResult<Vec<_>>>()?.concat();
        let texts = self.others.into_iter().map(|(text, _)| text);
        let others = texts.zip(lists).map(|(text, ids)| Ok((text, ids?))).collect::<ApiResult<_>>()?;
        Ok(MeantVideos { own, others, words: Vec::new() })
    }
}

impl MeantVideos {
    /// Whether other words find something.
    pub fn is_empty(&self) -> bool {
        self.others.iter().all(|(_, ids)| ids.is_empty())
    }

    /// What the search itself finds alone.
    pub fn only_own(self) -> Self {
        Self { others: Vec::new(), ..self }
    }

    /// With what another search found.
    pub fn add(&mut self, other: Self) {
        self.own.extend(other.own);
        self.others.extend(other.others);
    }

    /// With what each of its words finds behind all else: the shortest list first, for what is rarer says more.
    pub fn then_words(mut self, mut words: Vec<(String, Vec<i64>)>) -> Self {
        words.sort_by_key(|(_, ids)| ids.len());
        self.words = words;
        self
    }

    /// At most so many, those of `first` and of the search itself before others, the words that found one that wasn't there, and what
    /// that gives up.
    pub fn together(self, first: Vec<i64>, most: usize) -> (Vec<i64>, Vec<String>, Vec<Relaxation>) {
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
        for (by, lists) in [(Relaxation::Meaning, self.others), (Relaxation::Words, self.words)] {
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

/// The same search, answering ids alone.
pub fn ids_of(query: VideoQuery<'_>, limit: usize) -> VideoQuery<'_> {
    VideoQuery { offset: 0, limit, fields: &["id"], counts: &[], exact: false, ..query }
}

/// The ids that [`ids_of`] found.
pub fn ids(hits: &[Hit]) -> ApiResult<Vec<i64>> {
    hits.iter().map(video_id).collect()
}

/// The page of a list of ids, in their order or in the one that was asked for.
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

/// What a search asks for without the words it looks for; `None` where it excludes nothing.
pub fn exclusions(ask: &SearchRequest) -> Option<String> {
    let excluded = text::excluded(&ask.text);
    (!excluded.is_empty()).then(|| text::query(&excluded, ask.lang))
}
