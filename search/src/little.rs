//! Fallbacks for a search with few hits: other language variants and words, fewer filters and words, another spelling
//! (ADR 10).

use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_index::{SearchClient, text};

use super::{
    corrections::{self, Hints},
    kana::KanaReading,
    meaning::widen::{self, AlternativeQueries, AlternativeVideos},
    outcome::Outcome,
    parts::{self, ShownParts},
    prepared::{PreparedSearch, SearchedFields, as_strs},
    relax::{Relaxation, Step, each_word, last_attempts, steps, without_filters},
    request::SearchRequest,
    slips::PossibleTypos,
};
use crate::{
    index::{self, Found, Hit, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// Reasons to doubt that the hits are what the visitor meant.
pub struct Doubts {
    pub typos: PossibleTypos,
    pub reading: Option<KanaReading>,
    /// Whether the hits contain the kana of the typed reading only by chance.
    pub is_chance: bool,
}

/// Runs all fallbacks at once: other language variants, synonyms, relaxed searches and likely spellings.
pub async fn second_round_trip(
    reader: &Reader,
    lexicon: &Lexicon,
    request: &SearchRequest,
    (mut prepared, doubts): (PreparedSearch, Doubts),
    fields: &SearchedFields,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let first = prepared.clone();
    let likely = prepared.readings.len();
    prepared.append_all_readings(request);
    let steps = if outcome.hits == 0 { steps(request, reader.config.listing.relaxed_words) } else { Vec::new() };
    let parts = parts::all(reader.now(), (request.text.clone(), prepared), &steps);
    let (own, all) = (as_strs(&fields.own), as_strs(&fields.all));
    let readings = if outcome.hits == 0 { parts::readings(&parts) } else { Vec::new() };
    let mut queries: Vec<VideoQuery<'_>> = readings.iter().map(|at| parts::query(&parts, *at, &own, &all)).collect();
    let alternatives = AlternativeQueries::of(lexicon, reader, request, fields.lang);
    queries.extend(alternatives.queries(&own, &all));
    let alternatives_end = queries.len();
    let hints = Hints::new(&lexicon.prohibited, request, &text::query(&request.text, request.lang));
    let hint_fields = corrections::searched_fields(request.lang);
    let hint_fields = as_strs(&hint_fields);
    queries.extend(hints.queries(&hint_fields));
    let hints_end = queries.len();
    queries.extend(doubts.typos.queries(&all));
    let mut found = find_many(&reader.search, &queries).await?;
    let are_typos = doubts.typos.are_confirmed(&found.split_off(hints_end));
    let spelled = found.split_off(alternatives_end);
    let extra = alternatives.read(&found.split_off(readings.len()))?;
    let lists = readings.into_iter().zip(found);
    let shown = parts::merge(&reader.search, &parts, fields, lists).await?;
    // A misspelled word in the visitor's language is likelier than a word in a third language.
    let unlikely =
        shown.as_ref().filter(|shown| shown.step == 0 && shown.reading > likely).map(|shown| shown.found.total);
    let whole = shown.as_ref().filter(|shown| shown.step == 0 && shown.reading <= likely).map(|shown| shown.reading);
    // The synonyms of a foreign word are what the visitor would have typed in their own language.
    let few = if fields.is_foreign() { reader.config.listing.few_hits } else { reader.config.listing.few_meant };
    // A part of the query's words is closer to the query than uncertain synonyms of all its words.
    let is_relaxed = shown.as_ref().is_some_and(|shown| shown.step > 0) && text::count_words(&request.text) > 1;
    let unsure = (outcome.hits == 0 && !is_relaxed).then(|| extra.clone());
    let extra = extra.only_sure();
    let has_extra = extra.has_own() || !extra.is_empty() && !is_relaxed;
    // If titles have another form of a word, the word is not a typo for a similar one.
    if are_typos && extra.has_forms() {
        (outcome.hits, outcome.found) = (0, Found::default());
    }
    if outcome.hits == 0 && whole.is_none() && has_extra && !doubts.is_chance {
        // A word that exists in any language is not misspelled.
        let (extra, forms) = extra.own_or_forms();
        if !forms.is_empty() {
            outcome.shown = forms;
        }
        outcome.hits = extra.own.len();
        let extra = if outcome.hits < few { extra } else { extra.without_synonyms() };
        append(&reader.search, &reader.config, &first, extra, Vec::new(), &mut outcome).await?;
        return Ok(outcome);
    }
    show_parts(&mut outcome, &steps, shown)?;
    let found = outcome.found.total;
    let extra = if outcome.hits < few { extra } else { extra.without_synonyms() };
    if outcome.hits > 0 && outcome.hits < reader.config.listing.few_hits && unlikely.is_none() {
        let searched = as_strs(&fields.first);
        let itself = match whole {
            Some(reading) => first.query(&first.readings[reading - 1], &all),
            None => first.query(&first.readings[0], &searched),
        };
        append_related(reader, request, (&first, itself), extra, &own, &mut outcome).await?;
    }
    // Hits found through a typo or by chance are no likelier than the nearest spelling.
    let doubtful = unlikely.or((are_typos || doubts.is_chance).then_some(outcome.hits));
    if doubtful.is_some() {
        outcome.hits = 0;
    }
    let spelling = match doubts.reading {
        None => hints.corrected(request, spelled, lexicon.words.near(&request.text, request.lang))?,
        Some(reading) => Some(reading.text),
    };
    let to_beat = if outcome.hits == 0 { 0 } else { found };
    if let Some(spelling) = spelling
        && let Some(found) =
            corrections::confirm(reader, &lexicon.prohibited, request, &spelling, fields, to_beat).await?
    {
        show_spelling(&mut outcome, spelling, found)?;
    } else {
        outcome.hits = doubtful.unwrap_or(outcome.hits);
        // Synonyms that are known only by a root are less certain than a corrected spelling, but better than nothing.
        if let Some(extra) = unsure.filter(|_| outcome.found.total == 0) {
            append(&reader.search, &reader.config, &first, extra, Vec::new(), &mut outcome).await?;
        }
    }
    // On later pages, the visitor has already seen the suggestion.
    outcome.did_you_mean = outcome.did_you_mean.filter(|_| request.list.page == 1);
    Ok(outcome)
}

/// Whether to append videos that match only one of the words. With any order other than relevance, they would be mixed
/// with the hits.
fn appends_words(request: &SearchRequest) -> bool {
    index::video_sort(&request.list).is_none() && !each_word(request).is_empty()
}

/// Appends videos found by synonyms to the few hits of the search itself, then videos with one of its words.
async fn append_related(
    reader: &Reader,
    request: &SearchRequest,
    (prepared, itself): (&PreparedSearch, VideoQuery<'_>),
    extra: AlternativeVideos,
    own: &[&str],
    outcome: &mut Outcome,
) -> ApiResult<()> {
    let most = reader.config.listing.meant_hits;
    let parts = if appends_words(request) { each_word(request) } else { Vec::new() };
    if parts.is_empty() && extra.is_empty() && extra.own.is_empty() {
        return Ok(());
    }
    let readings: Vec<PreparedSearch> = parts.iter().map(|part| PreparedSearch::new(reader.now(), part)).collect();
    let words = readings.iter().map(|part| widen::ids_only(part.query(&part.readings[0], own), most));
    let queries: Vec<VideoQuery<'_>> = std::iter::once(widen::ids_only(itself, outcome.hits)).chain(words).collect();
    let mut found = find_many(&reader.search, &queries).await?.into_iter().map(|found| widen::ids(&found.hits));
    let first = found.next().transpose()?.unwrap_or_default();
    let words = parts.into_iter().map(|part| part.text).zip(found).map(|(text, ids)| Ok((text, ids?)));
    let extra = extra.with_words(words.collect::<ApiResult<_>>()?);
    append(&reader.search, &reader.config, prepared, extra, first, outcome).await
}

/// Appends videos found by synonyms to `first`, the ids of all hits so far.
async fn append(
    search: &SearchClient,
    config: &Config,
    prepared: &PreparedSearch,
    extra: AlternativeVideos,
    first: Vec<i64>,
    outcome: &mut Outcome,
) -> ApiResult<()> {
    let (ids, texts, relaxed) = extra.merge(first, config.listing.meant_hits);
    if ids.len() <= outcome.found.total {
        return Ok(());
    }
    let found = widen::page(search, prepared, &ids).await?;
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    if !texts.is_empty() {
        (outcome.shown, outcome.relaxed) = (texts, relaxed);
    }
    Ok(())
}

/// Tries synonyms without the filters, then falls back to the most watched videos.
pub async fn last_resort(
    reader: &Reader,
    lexicon: &Lexicon,
    request: &SearchRequest,
    fields: &SearchedFields,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let (unfiltered, filters) = without_filters(request);
    let (own, all) = (as_strs(&fields.own), as_strs(&fields.all));
    for (at, requests) in last_attempts(&unfiltered).iter().enumerate() {
        // The whole query with all its filters has already run.
        let alternatives: Vec<AlternativeQueries> = match (at, filters.is_empty()) {
            (0, true) => continue,
            _ => requests
                .iter()
                .map(|request| AlternativeQueries::new(lexicon, &reader.config, reader.now(), request))
                .collect(),
        };
        let queries: Vec<Vec<VideoQuery<'_>>> = alternatives.iter().map(|one| one.queries(&own, &all)).collect();
        let counts: Vec<usize> = queries.iter().map(Vec::len).collect();
        let mut found = find_many(&reader.search, &queries.concat()).await?.into_iter();
        let mut extra = AlternativeVideos::default();
        for (one, count) in alternatives.into_iter().zip(counts) {
            extra.add(one.read(&found.by_ref().take(count).collect::<Vec<_>>())?);
        }
        if !extra.is_empty() {
            append(
                &reader.search,
                &reader.config,
                &PreparedSearch::new(reader.now(), &unfiltered),
                extra,
                Vec::new(),
                &mut outcome,
            )
            .await?;
            let words = (at > 0).then_some(Relaxation::Words);
            outcome.relaxed = filters.into_iter().chain(words).chain([Relaxation::Meaning]).collect();
            outcome.tried.clear();
            return Ok(outcome);
        }
    }
    popular(reader, request, &unfiltered, filters, outcome).await
}

/// Shows one page of the most watched videos that pass the filters that are never dropped.
async fn popular(
    reader: &Reader,
    request: &SearchRequest,
    unfiltered: &SearchRequest,
    mut filters: Vec<Relaxation>,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    if request.list.page > 1 {
        return Ok(outcome);
    }
    let (prepared, excluded) = (PreparedSearch::new(reader.now(), unfiltered), widen::exclusions(request));
    let sort: &[&str] = if prepared.sort().is_empty() { &["viewed:desc", "id:desc"] } else { prepared.sort() };
    let query = VideoQuery {
        text: excluded.as_deref(),
        sort,
        limit: prepared.limit,
        counts: &[],
        exact: false,
        ..VideoQuery::new(prepared.filter().clone())
    };
    let found = index::find::<VideoDoc>(reader, query).await?;
    if found.hits.is_empty() {
        return Ok(outcome);
    }
    filters.push(Relaxation::Popular);
    outcome.found = Found { total: found.hits.len(), ..found };
    (outcome.relaxed, outcome.tried) = (filters, Vec::new());
    Ok(outcome)
}

/// Suggests the spelling. If the search itself has no hits, shows the hits for that spelling instead of relaxed
/// results.
fn show_spelling(outcome: &mut Outcome, spelling: String, found: Found<Hit>) -> ApiResult<()> {
    if outcome.hits > 0 {
        outcome.did_you_mean = Some(spelling);
        return Ok(());
    }
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    (outcome.shown, outcome.relaxed, outcome.tried) = (vec![spelling], vec![Relaxation::Spelling], Vec::new());
    Ok(())
}

/// Puts the results into the outcome, or the relaxations that found nothing.
fn show_parts(outcome: &mut Outcome, steps: &[Step], shown: Option<ShownParts>) -> ApiResult<()> {
    let Some(ShownParts { step, texts, found, .. }) = shown else {
        outcome.tried = match (outcome.hits, steps.last()) {
            (0, Some(last)) => last.relaxed.clone(),
            _ => Vec::new(),
        };
        return Ok(());
    };
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    match step.checked_sub(1).map(|at| &steps[at]) {
        None => outcome.hits = outcome.found.total,
        Some(step) => {
            outcome.relaxed.clone_from(&step.relaxed);
            outcome.shown = texts;
        }
    }
    Ok(())
}
