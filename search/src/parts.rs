//! Runs relaxed searches. All parts of a step are run, and their results are concatenated.

use std::collections::HashSet;

use lantern_errors::ApiResult;
use lantern_index::SearchClient;

use super::{
    prepared::{PreparedSearch, SearchedFields, as_strs},
    relax::Step,
    request::SearchRequest,
};
use crate::index::{Found, Hit, VideoQuery, find_many, video_id};

/// A search that may replace one without hits.
pub struct Part {
    /// 0 is the search itself. Other values are the number of the relaxation step, starting at 1.
    pub step: usize,
    pub text: String,
    prepared: PreparedSearch,
}

/// A part in one of its language variants.
#[derive(Debug, Clone, Copy)]
pub struct PartReading {
    /// Index of the part.
    part: usize,
    /// 0 is the search in the visitor's language. Other values are the number of the variant in all languages, starting
    /// at 1.
    reading: usize,
}

/// The results to show.
pub struct ShownParts {
    pub step: usize,
    /// The language variant that found them, starting at 1. 0 is the first variant in the visitor's language.
    pub reading: usize,
    /// Texts of the parts with hits.
    pub texts: Vec<String>,
    pub found: Found<Hit>,
}

/// Returns the search itself, then the parts of each step.
pub fn all(now: i64, whole: (String, PreparedSearch), steps: &[Step]) -> Vec<Part> {
    let (text, prepared) = whole;
    let mut parts = vec![Part { step: 0, text, prepared }];
    for (at, step) in steps.iter().enumerate() {
        let part = |request: &SearchRequest| Part {
            step: at + 1,
            text: request.text.clone(),
            prepared: PreparedSearch::new(now, request),
        };
        parts.extend(step.searches.iter().map(part));
    }
    parts
}

/// Returns every language variant of every part. The whole search in the visitor's language is skipped because it has
/// already run.
pub fn readings(parts: &[Part]) -> Vec<PartReading> {
    let of = |(at, part): (usize, &Part)| {
        let all = usize::from(part.step == 0)..=part.prepared.readings.len();
        all.map(move |reading| PartReading { part: at, reading })
    };
    parts.iter().enumerate().flat_map(of).collect()
}

/// Returns the engine query for a part in one language variant.
pub fn query<'a>(parts: &'a [Part], at: PartReading, own: &'a [&'a str], all: &'a [&'a str]) -> VideoQuery<'a> {
    let prepared = &parts[at.part].prepared;
    match at.reading.checked_sub(1) {
        None => prepared.query(&prepared.readings[0], own),
        Some(reading) => prepared.query(&prepared.readings[reading], all),
    }
}

/// Merges the lists from the first step that has hits, in its first language variant that has hits. The shortest list
/// comes first, because rare words are more specific. Videos with all the words of two parts would have matched an
/// earlier step, so the lists hardly overlap.
pub async fn merge(
    search: &SearchClient,
    parts: &[Part],
    fields: &SearchedFields,
    lists: impl Iterator<Item = (PartReading, Found<Hit>)>,
) -> ApiResult<Option<ShownParts>> {
    let place = |at: PartReading| (parts[at.part].step, at.reading);
    let mut lists: Vec<(PartReading, Found<Hit>)> = lists.filter(|(_, found)| found.total > 0).collect();
    let Some(first) = lists.iter().map(|(at, _)| place(*at)).min() else { return Ok(None) };
    lists.retain(|(at, _)| place(*at) == first);
    let texts = lists.iter().map(|(at, _)| parts[at.part].text.clone()).collect();
    lists.sort_by_key(|(_, found)| found.total);
    let offset = parts[lists[0].0.part].prepared.offset;
    if lists.len() > 1 && offset > 0 {
        load_page(search, parts, fields, &mut lists).await?;
    }
    let limit = parts[lists[0].0.part].prepared.limit;
    Ok(Some(ShownParts {
        step: first.0,
        reading: first.1,
        texts,
        found: concat(lists.into_iter().map(|(_, found)| found), limit)?,
    }))
}

/// Loads the hits of each list that are on the requested page.
async fn load_page(
    search: &SearchClient,
    parts: &[Part],
    fields: &SearchedFields,
    lists: &mut [(PartReading, Found<Hit>)],
) -> ApiResult<()> {
    let (own, all) = (as_strs(&fields.own), as_strs(&fields.all));
    let (mut before, mut queries, mut shown) = (0, Vec::new(), Vec::new());
    for (at, found) in lists {
        let query = query(parts, *at, &own, &all);
        let (from, to) = (query.offset, query.offset + query.limit);
        let offset = from.saturating_sub(before).min(found.total);
        let limit = to.saturating_sub(before).min(found.total) - offset;
        before += found.total;
        found.hits.clear();
        if limit > 0 {
            queries.push(VideoQuery { offset, limit, counts: &[], ..query });
            shown.push(found);
        }
    }
    for (found, page) in shown.into_iter().zip(find_many(search, &queries).await?) {
        found.hits = page.hits;
        found.took += page.took;
    }
    Ok(())
}

/// Concatenates the lists and cuts the result to a page of `limit` hits.
fn concat(lists: impl Iterator<Item = Found<Hit>>, limit: usize) -> ApiResult<Found<Hit>> {
    let (mut whole, mut seen) = (Found::<Hit>::default(), HashSet::new());
    for list in lists {
        whole.total += list.total;
        whole.took += list.took;
        for (field, counts) in list.counts {
            let whole = whole.counts.entry(field).or_default();
            for (value, count) in counts {
                *whole.entry(value).or_default() += count;
            }
        }
        for hit in list.hits {
            if seen.insert(video_id(&hit)?) {
                whole.hits.push(hit);
            }
        }
    }
    whole.hits.truncate(limit);
    Ok(whole)
}
