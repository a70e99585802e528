//! Interface to milli's search: parses its parameters and returns the hits that it ranks.

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::{
    AscDesc, DefaultSearchLogger, Filter, Index, MatchingWords, SearchContext, SearchResult, SortError, UserError,
    execute_search,
};
use serde_json::Value;

use super::filter_check;
use super::interrupt::Interrupt;
use super::params::SearchParams;
use crate::index::Reader;

/// Maximum number of query words, as in Meilisearch.
const MAX_WORDS: usize = 10;

/// Parameters whose syntax has been checked, so that syntax errors are reported before errors about the index.
pub struct Parsed<'a> {
    pub params: &'a SearchParams,
    pub filter: Option<Filter<'a>>,
    pub sort: Option<Vec<AscDesc>>,
}

impl<'a> Parsed<'a> {
    /// Parses the expressions in `params`.
    pub fn new(params: &'a SearchParams) -> milli::Result<Self> {
        let filter = filter(params.filter.as_ref())?;
        let criteria = |sort: &Vec<String>| sort.iter().map(|by| by.parse::<AscDesc>()).collect::<Result<_, _>>();
        let sort = params.sort.as_ref().map(criteria).transpose().map_err(SortError::from)?;
        Ok(Self { params, filter, sort })
    }
}

/// Returns at most `limit` hits, starting at `offset`, as ranked by milli.
pub fn ranked(
    Reader { index, filtered, .. }: &Reader,
    txn: &RoTxn<'_>,
    parsed: &Parsed<'_>,
    interrupt: &Interrupt,
    offset: usize,
    limit: usize,
) -> milli::Result<SearchResult> {
    let params = parsed.params;
    if params.distinct.is_some() {
        // milli's search refuses fields that aren't filterable.
        return prepare(index, txn, parsed, interrupt)?.offset(offset).limit(limit).execute();
    }
    let mut ctx = SearchContext::new(index, txn)?;
    if let Some(attributes) = &params.search_on {
        ctx.attributes_to_search_on(attributes)?;
    }
    let documents = filtered.documents(index, txn, &parsed.filter)?;
    // Interpreting the words takes longer than a filter. With sort keys, milli still has to check these.
    if documents.is_empty() && parsed.sort.is_none() {
        return Ok(SearchResult {
            matching_words: MatchingWords::default(),
            candidates: documents,
            documents_ids: Vec::new(),
            document_scores: Vec::new(),
            degraded: false,
            used_negative_operator: false,
        });
    }
    let found = execute_search(
        &mut ctx,
        params.words(),
        params.matching,
        params.scoring(),
        params.is_exact(),
        documents,
        &parsed.sort,
        &None,
        Default::default(),
        offset,
        limit,
        Some(MAX_WORDS),
        &mut DefaultSearchLogger,
        &mut DefaultSearchLogger,
        interrupt.time_budget(),
        None,
        None,
    )?;
    Ok(SearchResult {
        matching_words: found
            .located_query_terms
            .map_or_else(MatchingWords::default, |terms| MatchingWords::new(ctx, terms)),
        candidates: found.candidates,
        documents_ids: found.documents_ids,
        document_scores: found.document_scores,
        degraded: found.degraded,
        used_negative_operator: found.used_negative_operator,
    })
}

/// Prepares a search with milli's filter, but without offset and limit.
pub fn prepare<'a>(
    index: &'a Index,
    txn: &'a RoTxn<'a>,
    Parsed { params, filter, sort }: &Parsed<'a>,
    interrupt: &Interrupt,
) -> milli::Result<milli::Search<'a>> {
    let mut search = milli::Search::new(txn, index);
    search.time_budget(interrupt.time_budget()).terms_matching_strategy(params.matching);
    search.exhaustive_number_hits(params.is_exact()).scoring_strategy(params.scoring());
    if let Some(words) = params.words() {
        search.query(words);
    }
    if let Some(filter) = filter {
        search.filter(filter.clone());
    }
    if let Some(sort) = sort {
        search.sort_criteria(sort.clone());
    }
    if let Some(distinct) = &params.distinct {
        search.distinct(distinct.clone());
    }
    if let Some(attributes) = &params.search_on {
        search.searchable_attributes(attributes);
    }
    Ok(search)
}

/// Parses a filter: an expression or arrays of them. Refuses the experimental `CONTAINS` and `STARTS WITH`, as
/// Meilisearch does by default.
pub fn filter(filter: Option<&Value>) -> milli::Result<Option<Filter<'_>>> {
    filter.map_or(Ok(()), filter_check::check)?;
    let Some(filter) = filter.map(Filter::from_json).transpose()?.flatten() else { return Ok(None) };
    if filter.use_contains_operator().is_some() {
        let message = "Using `CONTAINS` or `STARTS WITH` in a filter isn't implemented by this engine.";
        return Err(UserError::InvalidFilter(message.to_owned()).into());
    }
    Ok(Some(filter))
}
