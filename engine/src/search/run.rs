//! Runs a search: determines the window of hits and how to find them.

use std::time::Instant;

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::{Index, MatchingWords, SearchResult};

use super::DEFAULT_MAX_TOTAL_HITS;
use super::answer::{member, write_hits, write_page};
use super::facets;
use super::interrupt::{Interrupt, Stop};
use super::order::{self, Criterion};
use super::params::{Page, SearchParams};
use super::ranked::{Parsed, ranked};
use crate::index::Reader;

/// Range of requested hits.
struct Window {
    offset: usize,
    limit: usize,
    /// Hits beyond this rank are unreachable and not counted.
    max_total: usize,
}

/// Runs a search in index `uid` and returns the protocol's JSON. In a multi-search (`labelled`), the JSON includes the index name.
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
    let parsed = Parsed::new(params)?;
    let mut out = Vec::with_capacity(512);
    out.push(b'{');
    if labelled {
        member(&mut out, "indexUid", uid)?;
        out.push(b',');
    }
    let (total, facets) = if window.limit == 0 && window.offset == 0 && params.facets.is_none() {
        out.extend_from_slice(b"\"hits\":[]");
        // Errors that depend on the index's settings include the index's name.
        (total(reader, &txn, &parsed, &window, &interrupt).map_err(|stop| stop.of(uid))?, None)
    } else {
        let mut result = found(reader, &txn, &parsed, &window, &interrupt).map_err(|stop| stop.of(uid))?;
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

/// Returns the number of hits. It is cached for the current state of the index, unless the time was up and the count is incomplete.
fn total(
    reader: &Reader,
    txn: &RoTxn<'_>,
    parsed: &Parsed<'_>,
    window: &Window,
    interrupt: &Interrupt,
) -> Result<u64, Stop> {
    let searched = format!("{:?}", parsed.params);
    if let Some(total) = reader.totals.get(txn, &searched) {
        return Ok(total);
    }
    let result = found(reader, txn, parsed, window, interrupt)?;
    interrupt.check()?;
    let total = result.candidates.len();
    if !result.degraded && !interrupt.is_late() {
        reader.totals.insert(txn, searched, total);
    }
    Ok(total)
}

/// Finds the hits in the window. If the order allows it, they are found by a walk, otherwise by milli, which visits every preceding hit.
fn found(
    reader: &Reader,
    txn: &RoTxn<'_>,
    parsed: &Parsed<'_>,
    window: &Window,
    interrupt: &Interrupt,
) -> Result<SearchResult, Stop> {
    if let Some(result) = walked(reader, txn, parsed, window, interrupt)? {
        return Ok(result);
    }
    Ok(ranked(reader, txn, parsed, interrupt, window.offset, window.limit)?)
}

fn walked(
    reader: &Reader,
    txn: &RoTxn<'_>,
    parsed: &Parsed<'_>,
    window: &Window,
    interrupt: &Interrupt,
) -> Result<Option<SearchResult>, Stop> {
    let (index, params) = (&reader.index, parsed.params);
    if params.scores() || params.distinct.is_some() || index.distinct_field(txn)?.is_some() {
        return Ok(None);
    }
    let page = |criteria: &[Criterion], candidates| {
        order::page(index, txn, criteria, candidates, window.offset, window.limit, interrupt)
    };
    if params.words().is_none() {
        let Some(criteria) = order::criteria(index, txn, parsed.sort.as_deref())? else { return Ok(None) };
        let candidates = reader.filtered.documents(index, txn, &parsed.filter)?;
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
    // With query words, a sort that has no ties and precedes all word rules determines the order by itself.
    let sort = parsed.sort.as_deref().unwrap_or_default();
    let sorts_first = index.criteria(txn)?.first() == Some(&milli::Criterion::Sort);
    if !sorts_first || sort.is_empty() {
        return Ok(None);
    }
    let Some(criteria) = order::sort_only(index, txn, sort)? else { return Ok(None) };
    let mut result = ranked(reader, txn, parsed, interrupt, 0, 0)?;
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
