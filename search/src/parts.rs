//! The search in all language variants, and relaxed searches. All parts of a step are run, and their results are
//! concatenated.

use std::collections::HashSet;

use lantern_errors::ApiResult;

use super::{
    prepared::{PreparedSearch, Search, SearchedFields},
    relax::{Relaxation, Step, steps},
};
use crate::index::{Found, Hit, VideoQuery, find_many, video_id};

/// A search that may replace one without hits.
struct Part {
    /// 0 is the search itself. Other values are the number of the relaxation step, starting at 1.
    step: usize,
    relaxed: Vec<Relaxation>,
    text: String,
    prepared: PreparedSearch,
}

/// The search itself, then the parts of each step. Empty for a search with hits.
#[derive(Default)]
pub struct Parts(Vec<Part>);

/// A part with the number of its language variant. 0 is the first variant in the visitor's language. Other values are
/// the number of the variant in all languages, starting at 1.
type PartReading<'a> = (&'a Part, usize);

/// The results to show.
pub struct ShownParts {
    /// What was dropped; empty for the search itself.
    pub relaxed: Vec<Relaxation>,
    /// Number of the language variant that found them, like that of a [`PartReading`].
    pub reading: usize,
    /// Texts of the parts with hits.
    pub texts: Vec<String>,
    pub found: Found<Hit>,
}

impl Part {
    fn query<'a>(&'a self, reading: usize, fields: &'a SearchedFields) -> VideoQuery<'a> {
        match reading.checked_sub(1) {
            None => self.prepared.first_query(&fields.own),
            Some(reading) => self.prepared.query(&self.prepared.readings[reading], &fields.all),
        }
    }
}

impl Parts {
    /// Prepares all parts of a search without hits.
    pub fn new(search: &Search<'_>) -> Self {
        let Search { reader, request, .. } = search;
        let mut prepared = search.prepared.clone();
        prepared.append_all_readings(request);
        let mut parts = vec![Part { step: 0, relaxed: Vec::new(), text: request.text.clone(), prepared }];
        for (step, Step { relaxed, searches }) in (1..).zip(steps(request, reader.config.listing.relaxed_words)) {
            parts.extend(searches.into_iter().map(|request| Part {
                step,
                relaxed: relaxed.clone(),
                prepared: PreparedSearch::new(reader.now(), &request),
                text: request.text,
            }));
        }
        Self(parts)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns everything that the last step drops.
    pub fn last_relaxed(&self) -> Vec<Relaxation> {
        self.0.last().map(|part| part.relaxed.clone()).unwrap_or_default()
    }

    /// Returns every language variant of every part. The whole search in the visitor's language is skipped because it
    /// has already run.
    fn readings(&self) -> impl Iterator<Item = PartReading<'_>> {
        self.0.iter().flat_map(|part| {
            let readings = usize::from(part.step == 0)..=part.prepared.readings.len();
            readings.map(move |reading| (part, reading))
        })
    }

    /// Returns the engine queries for the requested page of each part.
    pub fn queries<'a>(&'a self, fields: &'a SearchedFields) -> Vec<VideoQuery<'a>> {
        self.readings().map(|(part, reading)| part.query(reading, fields)).collect()
    }

    /// Merges the lists from the first step that has hits, in its first language variant that has hits. The shortest
    /// list comes first, because rare words are more specific. Videos with all the words of two parts would have
    /// matched an earlier step, so the lists hardly overlap.
    pub async fn merge(&self, search: &Search<'_>, found: Vec<Found<Hit>>) -> ApiResult<Option<ShownParts>> {
        let mut lists: Vec<(PartReading<'_>, Found<Hit>)> =
            self.readings().zip(found).filter(|(_, found)| found.total > 0).collect();
        let place = |(part, reading): PartReading<'_>| (part.step, reading);
        let Some(first) = lists.iter().map(|(at, _)| place(*at)).min() else { return Ok(None) };
        lists.retain(|(at, _)| place(*at) == first);
        let texts = lists.iter().map(|((part, _), _)| part.text.clone()).collect();
        let relaxed = lists[0].0.0.relaxed.clone();
        lists.sort_by_key(|(_, found)| found.total);
        if lists.len() > 1 && search.prepared.offset > 0 {
            load_page(search, &mut lists).await?;
        }
        let found = concat(lists.into_iter().map(|(_, found)| found), search.prepared.limit)?;
        Ok(Some(ShownParts { relaxed, reading: first.1, texts, found }))
    }
}

/// Loads the hits of each list that are on the requested page.
async fn load_page(search: &Search<'_>, lists: &mut [(PartReading<'_>, Found<Hit>)]) -> ApiResult<()> {
    let (mut before, mut queries, mut shown) = (0, Vec::new(), Vec::new());
    for ((part, reading), found) in lists {
        let query = part.query(*reading, &search.fields);
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
    for (found, page) in shown.into_iter().zip(find_many(&search.reader.search, &queries).await?) {
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
