//! Writes search results as JSON while they are being read.

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::score_details::ScoreDetails;
use milli_core::{FieldsIdsMap, Index, InternalError, SearchResult};
use serde::Serialize;

use super::document::Projection;
use super::format::Formatter;
use super::geo;
use super::params::{Page, SearchParams};

/// Writes the hits with the requested fields.
pub fn write_hits(
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

/// Writes the paging members: the effective `offset`, and `limit` as requested.
pub fn write_page(out: &mut Vec<u8>, page: Page, offset: usize, total: usize) -> milli::Result<()> {
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

/// Writes a comma unless the object that begins at `start` is still empty.
pub fn separate(out: &mut Vec<u8>, start: usize) {
    if out.len() > start {
        out.push(b',');
    }
}

/// Writes `"name":value`.
pub fn member(out: &mut Vec<u8>, name: &str, value: &(impl Serialize + ?Sized)) -> milli::Result<()> {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    serde_json::to_writer(out, value).map_err(|error| InternalError::SerdeJson(error).into())
}
