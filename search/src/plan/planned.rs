//! A search with its plan, in a form from which engine queries can borrow.

use std::fmt::{self, Display, Formatter};

use lantern_index::{Filter, IndexName, settings};
use meilisearch_sdk::search::MatchingStrategies;

use super::{Plan, Planner};
use crate::{
    index::{Reader, VideoQuery},
    lexicon::Lexicon,
    request::SearchRequest,
};

/// Order of the most watched videos.
pub const POPULAR: [&str; 2] = ["viewed:desc", "id:desc"];

/// A search with its plan.
pub struct PlannedSearch {
    /// What the query means.
    pub plan: Plan,
    filter: Filter,
    ranking: String,
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
            filter: request.filter(reader.now()).and(plan.filter()),
            ranking: plan.ranking_query(),
            fields: settings::searched(IndexName::Videos, Some(plan.lang)),
            sort: request.list.sort_keys().map(Vec::from).unwrap_or_default(),
            offset: request.list.offset(),
            limit: request.list.count as usize,
            plan,
        }
    }

    /// Returns the query for the requested page.
    pub fn page_query(&self) -> VideoQuery<'_> {
        let query = self.query(self.filter.clone(), !self.sort.is_empty());
        VideoQuery { sort: &self.sort, offset: self.offset, limit: self.limit, ..query }
    }

    /// Returns the query that counts all videos of the search.
    pub fn total_query(&self) -> VideoQuery<'_> {
        VideoQuery { fields: &[], counts: &[], ..self.query(self.filter.clone(), true) }
    }

    /// Whether this is the first page of the results.
    pub fn is_first_page(&self) -> bool {
        self.offset == 0
    }

    /// Returns the query for the most watched videos of the filter, in the requested order if there is one.
    pub fn popular_query(&self) -> VideoQuery<'_> {
        let sort: &[&str] = if self.sort.is_empty() { &POPULAR } else { &self.sort };
        VideoQuery { sort, limit: self.limit, counts: &[], exact: false, ..VideoQuery::new(self.filter.clone()) }
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
        Self { ranking: plan.ranking_query(), fields: settings::searched(IndexName::Videos, Some(plan.lang)), plan }
    }

    /// Returns the query that counts the videos of the plan that pass `filter`.
    pub fn query(&self, filter: Filter) -> VideoQuery<'_> {
        count_query(&self.plan, filter, &self.ranking, &self.fields)
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
