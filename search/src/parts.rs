//! What is left of a search when something is given up: the lists of all its parts, one after the other.

use std::collections::HashSet;

use lantern_errors::ApiResult;
use lantern_index::SearchClient;

use super::{
    prepared::{PreparedSearch, SearchedFields, names},
    relax::Step,
    request::SearchRequest,
};
use crate::index::{Found, Hit, VideoQuery, find_many, video_id};

/// A search that may be shown instead of one without hits.
pub struct Part {
    /// What was given up for it: 0 is nothing, others count the steps from 1.
    pub step: usize,
    pub text: String,
    prepared: PreparedSearch,
}

/// A part in one of the ways to search for it.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Its place among the parts.
    part: usize,
    /// 0 is in the visitor's language; then its readings in every language.
    way: usize,
}

/// What is shown.
pub struct ShownParts {
    pub step: usize,
    /// The reading that found it, from 1; 0 is the first one in the visitor's language.
    pub way: usize,
    /// Of the parts that found something.
    pub texts: Vec<String>,
    pub found: Found<Hit>,
}

/// The search itself, then the parts of each step.
pub fn all(now: i64, whole: (String, PreparedSearch), steps: &[Step]) -> Vec<Part> {
    let (text, prepared) = whole;
    let mut parts = vec![Part { step: 0, text, prepared }];
    for (at, step) in steps.iter().enumerate() {
        let part = |ask: &SearchRequest| Part {
            step: at + 1,
            text: ask.text.clone(),
            prepared: PreparedSearch::new(now, ask),
        };
        parts.extend(step.asks.iter().map(part));
    }
    parts
}

/// The ways of all of them. The whole search was made in the visitor's language already.
pub fn ways(parts: &[Part]) -> Vec<Way> {
    let of = |(at, part): (usize, &Part)| {
        (usize::from(part.step == 0)..=part.prepared.readings.len()).map(move |way| Way { part: at, way })
    };
    parts.iter().enumerate().flat_map(of).collect()
}

/// The query of a part in one way.
pub fn query<'a>(parts: &'a [Part], at: Way, own: &'a [&'a str], all: &'a [&'a str]) -> VideoQuery<'a> {
    let prepared = &parts[at.part].prepared;
    match at.way.checked_sub(1) {
        None => prepared.query(&prepared.readings[0], own),
        Some(reading) => prepared.query(&prepared.readings[reading], all),
    }
}

/// Puts the lists of the first step together that found something, in the first way in which it did: the shortest list first, for what is
/// rarer says more. What has all words of two parts would have been found before, so lists hardly share a video.
pub async fn put_together(
    search: &SearchClient,
    parts: &[Part],
    fields: &SearchedFields,
    lists: impl Iterator<Item = (Way, Found<Hit>)>,
) -> ApiResult<Option<ShownParts>> {
    let place = |at: Way| (parts[at.part].step, at.way);
    let mut lists: Vec<(Way, Found<Hit>)> = lists.filter(|(_, found)| found.total > 0).collect();
    let Some(first) = lists.iter().map(|(at, _)| place(*at)).min() else { return Ok(None) };
    lists.retain(|(at, _)| place(*at) == first);
    let texts = lists.iter().map(|(at, _)| parts[at.part].text.clone()).collect();
    lists.sort_by_key(|(_, found)| found.total);
    let offset = parts[lists[0].0.part].prepared.offset;
    if lists.len() > 1 && offset > 0 {
        turn_to(search, parts, fields, &mut lists).await?;
    }
    let limit = parts[lists[0].0.part].prepared.limit;
    Ok(Some(ShownParts {
        step: first.0,
        way: first.1,
        texts,
        found: join(lists.into_iter().map(|(_, found)| found), limit)?,
    }))
}

/// Reads the part of each list that is on the page.
async fn turn_to(
    search: &SearchClient,
    parts: &[Part],
    fields: &SearchedFields,
    lists: &mut [(Way, Found<Hit>)],
) -> ApiResult<()> {
    let (own, all) = (names(&fields.own), names(&fields.all));
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

/// One list of several, of which a page of `limit` is shown.
fn join(lists: impl Iterator<Item = Found<Hit>>, limit: usize) -> ApiResult<Found<Hit>> {
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
