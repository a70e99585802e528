//! A search that finds little, together with what means the same: one list, what was asked for first.

use std::collections::HashSet;

use lantern_config::{Config, Lang};
use lantern_errors::ApiResult;
use lantern_index::{Filter, SearchClient, text};

use super::graph::{Alternative, word_for_word};
use crate::{
    index::{Found, Hit, Reader, VideoQuery, find_many, video_id},
    lexicon::Lexicon,
    prepared::PreparedSearch,
    relax::Relaxation,
    request::SearchRequest,
};

/// Searches in other words that are made for one: in ten languages, and some of them in two ways.
const ALTERNATIVES: usize = 16;

/// What else a search is asked as.
pub struct MeantQueries {
    prepared: PreparedSearch,
    most: usize,
    /// Of the search itself, word for word in any language.
    own: Vec<String>,
    /// With other forms of its words.
    forms: Vec<Form>,
    /// In other words.
    others: Vec<Alternative>,
}

/// A search with another form of a word.
struct Form {
    /// As it is shown.
    text: String,
    /// As it is asked.
    reading: String,
    /// Whether it is in the visitor's language.
    is_own: bool,
}

/// The videos that these find, by id.
#[derive(Default, Clone)]
pub struct MeantVideos {
    /// Of the search itself.
    pub own: Vec<i64>,
    /// With other forms of its words, by list.
    pub forms: Vec<(String, Vec<i64>)>,
    /// In other words, by list.
    others: Vec<(String, Vec<i64>)>,
    /// Whether the search is known as it was typed.
    is_sure: bool,
    /// With one of its words.
    words: Vec<(String, Vec<i64>)>,
    /// Of those the ones that have the others in other words.
    likely: HashSet<i64>,
}

impl MeantQueries {
    pub fn new(lexicon: &Lexicon, config: &Config, now: i64, ask: &SearchRequest) -> Self {
        let alternatives = lexicon.meanings.alternatives(&ask.text, ask.lang, ALTERNATIVES);
        let may_be_said = alternatives.into_iter().filter(|one| !lexicon.prohibited.found_in(&one.text));
        let others: Vec<Alternative> = may_be_said.collect();
        let is_known = others.iter().any(|one| one.is_sure);
        let own = if is_known { word_for_word(&ask.text, ask.lang) } else { Vec::new() };
        let prepared = PreparedSearch::new(now, ask);
        Self { prepared, most: config.listing.meant_hits, own, forms: Vec::new(), others }
    }

    /// All that a search with little is asked as besides, which is read in `lang`.
    pub fn of(lexicon: &Lexicon, reader: &Reader, ask: &SearchRequest, lang: Lang) -> Self {
        Self::new(lexicon, &reader.config, reader.now(), ask)
            .with_compounds(lexicon, ask, lang)
            .with_forms(lexicon, ask, lang)
    }

    /// With the compounds of `lang` that have a word of the search as a part, and the parts of a compound.
    fn with_compounds(mut self, lexicon: &Lexicon, ask: &SearchRequest, lang: Lang) -> Self {
        let compounds = lexicon.words.compounds(&ask.text, lang).into_iter();
        self.own.extend(compounds.filter(|text| !lexicon.prohibited.found_in(text)).map(|one| text::query(&one, lang)));
        self
    }

    /// With other forms of its words that titles have.
    fn with_forms(mut self, lexicon: &Lexicon, ask: &SearchRequest, lang: Lang) -> Self {
        let others = text::langs_of(&ask.text, ask.lang).into_iter().filter(|other| *other != lang);
        let forms = lexicon.words.forms(&ask.text, std::iter::once(lang).chain(others)).into_iter();
        let may_be_said = forms.filter(|(text, _)| !lexicon.prohibited.found_in(text));
        let shown = |text: &str| text.replace('"', "");
        let form = |(text, lang): (String, Lang)| Form {
            text: shown(&text),
            reading: text::query(&text, lang),
            is_own: lang == ask.lang,
        };
        self.forms.extend(may_be_said.map(form));
        self
    }

    /// The queries, which answer ids; words of the visitor's language are looked for in `own` fields, others in `all`.
    pub fn queries<'a>(&'a self, own: &'a [&'a str], all: &'a [&'a str]) -> Vec<VideoQuery<'a>> {
        let words = self.own.iter().map(|reading| (reading, all));
        let forms = self.forms.iter().map(|form| (&form.reading, if form.is_own { own } else { all }));
        let others = self.others.iter().map(|one| (&one.reading, all));
        let ways = words.chain(forms).chain(others);
        ways.map(|(reading, fields)| ids_of(self.prepared.query(reading, fields), self.most)).collect()
    }

    /// What is looked for, as it is shown and as the engine is asked.
    pub fn readings<'a>(&'a self, ask: &'a SearchRequest) -> impl Iterator<Item = (&'a String, &'a String)> {
        let own = self.own.iter().map(|reading| (&ask.text, reading));
        let own = own.chain(self.forms.iter().map(|form| (&form.text, &form.reading)));
        own.chain(self.others.iter().map(|one| (&one.text, &one.reading)))
    }

    /// What they found.
    pub fn read(self, found: &[Found<Hit>]) -> ApiResult<MeantVideos> {
        let mut lists = found.iter().map(|found| ids(&found.hits));
        let own = lists.by_ref().take(self.own.len()).collect::<ApiResult<Vec<_>>>()?.concat();
        let is_sure = self.others.iter().all(|one| one.is_sure);
        let mut named = |texts: Vec<String>| {
            texts.into_iter().zip(lists.by_ref()).map(|(text, ids)| Ok((text, ids?))).collect::<ApiResult<Vec<_>>>()
        };
        let forms = named(self.forms.into_iter().map(|form| form.text).collect())?;
        let others = named(self.others.into_iter().map(|one| one.text).collect())?;
        Ok(MeantVideos { own, forms, others, is_sure, ..MeantVideos::default() })
    }
}

impl MeantVideos {
    /// Whether other words find something.
    pub fn is_empty(&self) -> bool {
        self.others.iter().all(|(_, ids)| ids.is_empty())
    }

    /// Whether it finds something with its own words, in whatever form.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty() || self.has_forms()
    }

    /// Whether it finds something with other forms of its words.
    pub fn has_forms(&self) -> bool {
        self.forms.iter().any(|(_, ids)| !ids.is_empty())
    }

    /// Other forms of the words are looked for where nothing has these; which ones.
    pub fn or_forms(mut self) -> (Self, Vec<String>) {
        let forms = if self.own.is_empty() { std::mem::take(&mut self.forms) } else { Vec::new() };
        let (mut texts, mut lists): (Vec<String>, Vec<Vec<i64>>) =
            forms.into_iter().filter(|(_, ids)| !ids.is_empty()).unzip();
        self.own.extend(lists.drain(..).flatten());
        let mut seen = HashSet::new();
        self.own.retain(|id| seen.insert(*id));
        texts.dedup();
        (self, texts)
    }

    /// Without other words of a search that isn't known as it was typed.
    pub fn only_sure(self) -> Self {
        if self.is_sure { self } else { Self { others: Vec::new(), ..self } }
    }

    /// What the search itself finds alone.
    pub fn only_own(self) -> Self {
        let likely = self.others.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        Self { others: Vec::new(), likely, ..self }
    }

    /// With what another search found.
    pub fn add(&mut self, other: Self) {
        self.own.extend(other.own);
        self.forms.extend(other.forms);
        self.others.extend(other.others);
        self.is_sure |= other.is_sure;
    }

    /// With what each of its words finds behind all else: the shortest list first, for what is rarer says more.
    pub fn then_words(mut self, mut words: Vec<(String, Vec<i64>)>) -> Self {
        words.sort_by_key(|(_, ids)| ids.len());
        words.iter_mut().for_each(|(_, ids)| ids.sort_by_key(|id| !self.likely.contains(id)));
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
