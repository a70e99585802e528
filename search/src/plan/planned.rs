//! A search with its plan, in a form from which engine queries can borrow.

use std::{
    fmt::{self, Display, Formatter},
    iter,
};

use lantern_errors::ApiResult;
use lantern_index::Filter;
use meilisearch_sdk::search::MatchingStrategies;

use super::{Plan, Planner};
use crate::{
    index::{Found, Hit, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
    request::SearchRequest,
};

/// Order of the most watched videos.
pub const POPULAR: [&str; 2] = ["viewed:desc", "id:desc"];

/// Number of tiers whose videos a first page requests at once. Two usually fill it, and ranking takes longer than counting.
const RANKED_TIERS: usize = 2;

/// A search with its plan.
pub struct PlannedSearch {
    /// What the query means.
    pub plan: Plan,
    /// Condition of the list, without the words.
    list: Filter,
    ranking: String,
    excluding: Option<String>,
    /// Fields whose words rank the videos.
    pub fields: Vec<String>,
    sort: Vec<&'static str>,
    offset: usize,
    limit: usize,
}

impl PlannedSearch {
    /// Plans a search.
    pub fn new(planner: &Planner, reader: &Reader, request: &SearchRequest) -> Self {
        Self::of(planner.plan(&request.text, request.lang), reader, request)
    }

    /// Plans the same search for another text, unless the text is too long or prohibited.
    pub fn other(planner: &Planner, search: (&Reader, &Lexicon), request: &SearchRequest, text: &str) -> Option<Self> {
        let (reader, lexicon) = search;
        let is_permitted =
            text.chars().count() <= reader.config.listing.search_max && !lexicon.prohibited.found_in(text);
        is_permitted.then(|| Self::of(planner.plan(text, request.lang), reader, request))
    }

    fn of(plan: Plan, reader: &Reader, request: &SearchRequest) -> Self {
        Self {
            list: request.filter(reader.now()).and(plan.excluding()),
            ranking: plan.ranking_query(),
            excluding: plan.excluding_query(),
            fields: plan.fields(),
            sort: request.list.sort_keys().map(Vec::from).unwrap_or_default(),
            offset: request.list.offset(),
            limit: request.list.count as usize,
            plan,
        }
    }

    /// Returns the queries of the requested page, one for each tier of the plan. Only the first tiers of a first page return videos. The others
    /// are counted, because where their videos appear depends on these counts. An explicit order needs only one query.
    pub fn page_queries(&self) -> Vec<VideoQuery<'_>> {
        if !self.sort.is_empty() {
            let query = self.query(self.filter(), true);
            return vec![VideoQuery { sort: &self.sort, offset: self.offset, limit: self.limit, ..query }];
        }
        let ranked = if self.is_first_page() { RANKED_TIERS } else { 0 };
        let limits = iter::repeat_n(self.limit, ranked).chain(iter::repeat(0));
        self.plan.tiers().into_iter().zip(limits).map(|(tier, limit)| self.tier_query(tier, 0, limit)).collect()
    }

    fn filter(&self) -> Filter {
        self.list.clone().and(self.plan.filter())
    }

    fn tier_query(&self, tier: Filter, offset: usize, limit: usize) -> VideoQuery<'_> {
        VideoQuery { offset, limit, ..self.query(self.list.clone().and(tier), limit == 0) }
    }

    /// Joins the results of [`Self::page_queries`] to the requested page, and loads the videos that they only counted.
    ///
    /// # Errors
    ///
    /// Fails if the index doesn't respond or a document can't be read.
    pub async fn page(&self, reader: &Reader, found: Vec<Found<Hit>>) -> ApiResult<Found<VideoDoc>> {
        if !self.sort.is_empty() {
            return found.into_iter().next().unwrap_or_default().read::<VideoDoc>();
        }
        let totals: Vec<usize> = found.iter().map(|found| found.total).collect();
        let mut page = Found::<VideoDoc>::default();
        for found in found {
            let found = found.read::<VideoDoc>()?;
            page.total += found.total;
            page.took += found.took;
            page.hits.extend(found.hits);
            for (field, counts) in found.counts {
                let all = page.counts.entry(field).or_default();
                counts.into_iter().for_each(|(value, count)| *all.entry(value).or_default() += count);
            }
        }
        page.hits.truncate(self.limit);
        let counted = self.counted_videos(reader, &totals, page.hits.len()).await?;
        page.hits.extend(counted);
        Ok(page)
    }

    /// Returns the videos of the page after the first `loaded` ones.
    async fn counted_videos(&self, reader: &Reader, totals: &[usize], loaded: usize) -> ApiResult<Vec<VideoDoc>> {
        let (mut skipped, mut left, mut queries) = (self.offset + loaded, self.limit - loaded, Vec::new());
        for (tier, total) in self.plan.tiers().into_iter().zip(totals) {
            let here = total.saturating_sub(skipped).min(left);
            if here > 0 {
                let query = self.tier_query(tier, skipped, here);
                queries.push(VideoQuery { counts: &[], exact: false, ..query });
            }
            (skipped, left) = (skipped.saturating_sub(*total), left - here);
        }
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        let found = find_many(&reader.search, &queries).await?;
        let hits = found.into_iter().map(|found| Ok(found.read::<VideoDoc>()?.hits)).collect::<ApiResult<Vec<_>>>()?;
        Ok(hits.into_iter().flatten().collect())
    }

    /// Returns the query that counts all videos of the search.
    pub fn total_query(&self) -> VideoQuery<'_> {
        VideoQuery { fields: &[], counts: &[], ..self.query(self.filter(), true) }
    }

    /// Whether this is the first page of the results.
    pub fn is_first_page(&self) -> bool {
        self.offset == 0
    }

    /// Returns the query for the most watched videos of the filter, in the requested order if there is one.
    pub fn popular_query(&self) -> VideoQuery<'_> {
        let sort: &[&str] = if self.sort.is_empty() { &POPULAR } else { &self.sort };
        let query = match &self.excluding {
            Some(text) => VideoQuery::matching(self.filter(), text, &self.fields),
            None => VideoQuery::new(self.filter()),
        };
        VideoQuery { sort, limit: self.limit, counts: &[], exact: false, ..query }
    }

    /// Returns the query that counts the videos of the plan that pass `filter`.
    pub fn count_query(&self, filter: Filter) -> VideoQuery<'_> {
        count_query(&self.plan, filter, &self.ranking, &self.fields)
    }

    fn query(&self, filter: Filter, is_unranked: bool) -> VideoQuery<'_> {
        ranked_query(&self.plan, filter, &self.ranking, &self.fields, is_unranked)
    }
}

/// A plan whose videos are only counted.
pub struct PlannedCount {
    plan: Plan,
    ranking: String,
    fields: Vec<String>,
}

impl PlannedCount {
    /// Prepares the count.
    pub fn new(plan: Plan) -> Self {
        Self { ranking: plan.ranking_query(), fields: plan.fields(), plan }
    }

    /// Returns the query that counts the videos of the plan that pass `filter`.
    pub fn query(&self, filter: Filter) -> VideoQuery<'_> {
        count_query(&self.plan, filter, &self.ranking, &self.fields)
    }

    /// Returns the query for the best videos of the plan that pass `filter`.
    pub fn best_query(&self, filter: Filter) -> VideoQuery<'_> {
        let query = ranked_query(&self.plan, filter.and(self.plan.filter()), &self.ranking, &self.fields, false);
        VideoQuery { counts: &[], exact: false, ..query }
    }
}

impl Display for PlannedCount {
    /// Writes what decides which videos it counts: their condition, and the words of phrases.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let phrases = if self.plan.has_phrases { self.plan.ranking.as_str() } else { "" };
        write!(f, "{} {phrases}", self.plan.filter())
    }
}

fn count_query<'a>(plan: &Plan, filter: Filter, ranking: &'a str, fields: &'a [String]) -> VideoQuery<'a> {
    let query = ranked_query(plan, filter.and(plan.filter()), ranking, fields, true);
    VideoQuery { fields: &[], counts: &[], ..query }
}

/// Returns the query for the videos of the filter. Its words only rank them, unless there are phrases. If the order doesn't matter, a query
/// without phrases needs no words.
fn ranked_query<'a>(
    plan: &Plan,
    filter: Filter,
    ranking: &'a str,
    fields: &'a [String],
    is_unranked: bool,
) -> VideoQuery<'a> {
    if is_unranked && !plan.has_phrases {
        return VideoQuery::new(filter);
    }
    VideoQuery { strategy: MatchingStrategies::LAST, ..VideoQuery::matching(filter, ranking, fields) }
}
