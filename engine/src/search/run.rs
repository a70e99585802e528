//! Running a search and writing its answer.

use std::time::Instant;

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::score_details::{ScoreDetails, ScoringStrategy};
use milli_core::{
    AscDesc, FieldsIdsMap, Filter, Index, InternalError, MatchingWords, SearchResult, SortError, UserError,
    filtered_universe,
};
use serde::Serialize;
use serde_json::Value;

use super::DEFAULT_MAX_TOTAL_HITS;
use super::document::Projection;
use super::facets;
use super::filter_check;
use super::format::Formatter;
use super::geo;
use super::interrupt::{Interrupt, Stop};
use super::order::{self, Criterion};
use super::params::{Page, SearchParams};
use crate::index::Reader;

/// Where the wanted hits lie.
struct Window {
    offset: usize,
    limit: usize,
    /// Hits beyond this rank can't be reached and aren't counted.
    max_total: usize,
}

/// Answers a search of the index `uid` with the JSON of the protocol; in a multi-search (`labelled`) it names the index.
pub fn search(
    reader: &Reader,
    params: &SearchParams,
    interrupt: &Interrupt,
    uid: &str,
    labelled: bool,
) -> Result<Vec<u8>, Stop> {
    let (started, index) = (Instant::now(), &reader.index);
    let txn = index.read_txn()?;
    let interrupt = interrupt.begin(index, &txn)?;
    let window = window(index, &txn, params)?;
    let mut out = Vec::with_capacity(512);
    out.push(b'{');
    if labelled {
        member(&mut out, "indexUid", uid)?;
        out.push(b',');
    }
    let (total, facets) = if window.limit == 0 && window.offset == 0 && params.facets.is_none() {
        out.extend_from_slice(b"\"hits\":[]");
        // What depends on the index's settings names the index.
        (total(reader, &txn, params, &window, &interrupt).map_err(|stop| stop.of(uid))?, None)
    } else {
        let mut search = prepare(index, &txn, params, &interrupt)?;
        let mut result = found(index, &txn, params, &window, &interrupt, &mut search).map_err(|stop| stop.of(uid))?;
        interrupt.check()?;
        out.reserve(512 * result.documents_ids.len());
        let names = index.fields_ids_map(&txn)?;
        write_hits(index, &txn, &names, params, &mut result, &mut out)?;
        interrupt.check()?;
        let facets = params.facets.as_ref();
        let count = |facets| facets::distribution(index, &txn, &names, &reader.postings, facets, &result.candidates);
        (result.candidates.len(), facets.map(|facets| count(facets)).transpose()?)
    };
    out.push(b',');
    member(&mut out, "query", params.q.as_deref().unwrap_or_default())?;
    out.push(b',');
    member(&mut out, "processingTimeMs", &u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))?;
    let reachable = usize::try_from(total).unwrap_or(usize::MAX).min(window.max_total);
    write_page(&mut out, params.page, window.offset, reachable)?;
    if let Some((distribution, stats)) = facets {
        out.push(b',');
        member(&mut out, "facetDistribution", &distribution)?;
        out.push(b',');
        member(&mut out, "facetStats", &stats)?;
    }
    out.push(b'}');
    Ok(out)
}

/// How many hits there are, counted once for each state of the index; what a search counted whose time was over is not all.
fn total(
    Reader { index, totals, .. }: &Reader,
    txn: &RoTxn<'_>,
    params: &SearchParams,
    window: &Window,
    interrupt: &Interrupt,
) -> Result<u64, Stop> {
    let searched = format!("{params:?}");
    if let Some(total) = totals.get(txn, &searched) {
        return Ok(total);
    }
    let mut search = prepare(index, txn, params, interrupt)?;
    let result = found(index, txn, params, window, interrupt, &mut search)?;
    interrupt.check()?;
    let total = result.candidates.len();
    if !result.degraded && !interrupt.is_late() {
        totals.keep(txn, searched, total);
    }
    Ok(total)
}

/// The hits of the window: by a walk where the order allows it, else by milli, which visits every hit before them.
fn found(
    index: &Index,
    txn: &RoTxn<'_>,
    params: &SearchParams,
    window: &Window,
    interrupt: &Interrupt,
    search: &mut milli::Search<'_>,
) -> Result<SearchResult, Stop> {
    if let Some(result) = walked(index, txn, params, window, interrupt, search)? {
        return Ok(result);
    }
    search.offset(window.offset).limit(window.limit);
    Ok(search.execute()?)
}

fn walked(
    index: &Index,
    txn: &RoTxn<'_>,
    params: &SearchParams,
    window: &Window,
    interrupt: &Interrupt,
    search: &mut milli::Search<'_>,
) -> Result<Option<SearchResult>, Stop> {
    if params.scores() || params.distinct.is_some() || index.distinct_field(txn)?.is_some() {
        return Ok(None);
    }
    let sort = params.sort.as_deref().map(sort_criteria).transpose()?;
    let page = |criteria: &[Criterion], candidates| {
        order::page(index, txn, criteria, candidates, window.offset, window.limit, interrupt)
    };
    if params.words().is_none() {
        let Some(criteria) = order::criteria(index, txn, sort.as_deref())? else { return Ok(None) };
        let candidates = filtered_universe(index, txn, &filter(params.filter.as_ref())?)?;
        interrupt.check()?;
        let documents_ids = page(&criteria, candidates.clone())?.documents;
        return Ok(Some(SearchResult {
            matching_words: MatchingWords::default(),
            candidates,
            documents_ids,
            document_scores: Vec::new(),
            degraded: false,
            used_negative_operator: false,
        }));
    }
    // With words, an order that leaves no ties and comes before every rule about words decides alone.
    let sort = sort.as_deref().unwrap_or_default();
    let sorts_first = index.criteria(txn)?.first() == Some(&milli::Criterion::Sort);
    if !sorts_first || sort.is_empty() {
        return Ok(None);
    }
    let Some(criteria) = order::sort_only(index, txn, sort)? else { return Ok(None) };
    let mut result = search.offset(0).limit(0).execute()?;
    interrupt.check()?;
    let walked = page(&criteria, result.candidates.clone())?;
    result.documents_ids = walked.documents;
    Ok((!walked.tied).then_some(result))
}

fn window(index: &Index, txn: &RoTxn<'_>, params: &SearchParams) -> milli::Result<Window> {
    let max_total = index.pagination_max_total_hits(txn)?.unwrap_or(DEFAULT_MAX_TOTAL_HITS);
    let max_total = usize::try_from(max_total).unwrap_or(usize::MAX);
    let (offset, limit) = match params.page {
        Page::Offset { offset, limit } => (offset, limit),
        Page::Numbered { page: 0, .. } => (0, 0),
        Page::Numbered { page, size } => (size.saturating_mul(page - 1), size),
    };
    let offset = offset.min(max_total);
    Ok(Window { offset, limit: limit.min(max_total - offset), max_total })
}

/// Sets up everything of a search but its window; facet search uses it too.
pub fn prepare<'a>(
    index: &'a Index,
    txn: &'a RoTxn<'a>,
    params: &'a SearchParams,
    interrupt: &Interrupt,
) -> milli::Result<milli::Search<'a>> {
    let mut search = milli::Search::new(txn, index);
    search.time_budget(interrupt.time_budget()).terms_matching_strategy(params.matching);
    search.exhaustive_number_hits(matches!(params.page, Page::Numbered { .. }));
    if let Some(words) = params.words() {
        search.query(words);
    }
    if let Some(filter) = filter(params.filter.as_ref())? {
        search.filter(filter);
    }
    if let Some(sort) = &params.sort {
        search.sort_criteria(sort_criteria(sort)?);
    }
    if let Some(distinct) = &params.distinct {
        search.distinct(distinct.clone());
    }
    if let Some(attributes) = &params.search_on {
        search.searchable_attributes(attributes);
    }
    if params.scores() {
        search.scoring_strategy(ScoringStrategy::Detailed);
    }
    Ok(search)
}

/// Parses a filter: an expression, or arrays of them. The experimental `CONTAINS` and `STARTS WITH` are refused as a server
/// does by default.
pub fn filter(filter: Option<&Value>) -> milli::Result<Option<Filter<'_>>> {
    filter.map_or(Ok(()), filter_check::check)?;
    let Some(filter) = filter.map(Filter::from_json).transpose()?.flatten() else { return Ok(None) };
    if filter.use_contains_operator().is_some() {
        let message = "Using `CONTAINS` or `STARTS WITH` in a filter isn't implemented by this engine.";
        return Err(UserError::InvalidFilter(message.to_owned()).into());
    }
    Ok(Some(filter))
}

fn sort_criteria(sort: &[String]) -> milli::Result<Vec<AscDesc>> {
    sort.iter().map(|s| s.parse::<AscDesc>().map_err(|error| SortError::from(error).into())).collect()
}

fn write_hits(
    index: &Index,
    txn: &RoTxn<'_>,
    names: &FieldsIdsMap,
    params: &SearchParams,
    result: &mut SearchResult,
    out: &mut Vec<u8>,
) -> milli::Result<()> {
    let projection = Projection::new(index, txn, names, params.retrieve.as_deref())?;
    let words = std::mem::take(&mut result.matching_words);
    let formatter = if params.formats() { Some(Formatter::new(index, txn, names, params, words)?) } else { None };
    let origin = geo::origin(params.sort.as_ref());
    out.extend_from_slice(b"\"hits\":[");
    for (rank, &id) in result.documents_ids.iter().enumerate() {
        out.extend_from_slice(if rank == 0 { b"{" } else { b",{" });
        let start = out.len();
        let document = index.document(txn, id)?;
        projection.write(document, out)?;
        if let Some(metres) = geo::distance(origin, &projection, document)? {
            separate(out, start);
            member(out, "_geoDistance", &metres)?;
        }
        if let Some(formatter) = &formatter {
            formatter.write(document, start, out)?;
        }
        if let Some(details) = result.document_scores.get(rank).filter(|_| params.scores()) {
            write_scores(params, details, start, out)?;
        }
        out.push(b'}');
    }
    out.push(b']');
    Ok(())
}

fn write_scores(params: &SearchParams, details: &[ScoreDetails], start: usize, out: &mut Vec<u8>) -> milli::Result<()> {
    if params.score {
        separate(out, start);
        member(out, "_rankingScore", &ScoreDetails::global_score(details.iter()))?;
    }
    if params.details {
        separate(out, start);
        member(out, "_rankingScoreDetails", &ScoreDetails::to_json_map(details.iter()))?;
    }
    Ok(())
}

/// `offset` as it was used, `limit` as it was asked for.
fn write_page(out: &mut Vec<u8>, page: Page, offset: usize, total: usize) -> milli::Result<()> {
    let numbers = match page {
        Page::Offset { limit, .. } => vec![("limit", limit), ("offset", offset), ("estimatedTotalHits", total)],
        Page::Numbered { page, size } => {
            let pages = if size == 0 { 0 } else { total.div_ceil(size) };
            vec![("hitsPerPage", size), ("page", page), ("totalPages", pages), ("totalHits", total)]
        }
    };
    for (name, number) in numbers {
        out.push(b',');
        member(out, name, &number)?;
    }
    Ok(())
}

/// A comma, unless the object that begins at `start` is still empty.
pub fn separate(out: &mut Vec<u8>, start: usize) {
    if out.len() > start {
        out.push(b',');
    }
}

/// `"name":value`
pub fn member(out: &mut Vec<u8>, name: &str, value: &(impl Serialize + ?Sized)) -> milli::Result<()> {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    serde_json::to_writer(out, value).map_err(|error| InternalError::SerdeJson(error).into())
}
