//! Parses search parameters, runs searches with milli, and writes results directly as bytes.

mod answer;
mod counts;
pub mod document;
mod facets;
mod filter_check;
#[cfg(test)]
mod filter_tests;
mod filtered;
mod format;
mod geo;
pub mod interrupt;
pub mod locale;
mod order;
pub mod params;
mod postings;
mod ranked;
mod run;
mod totals;
mod values;

pub use facets::{FacetSearch, facet_search};
pub use filtered::Filtered;
pub use interrupt::Interrupt;
pub use params::SearchParams;
pub use postings::Postings;
pub use ranked::filter;
pub use run::search;
pub use totals::Totals;

/// Maximum number of reachable hits, unless `pagination.maxTotalHits` overrides it.
pub const DEFAULT_MAX_TOTAL_HITS: u64 = 1000;

use milli_core as milli;
use milli_core::UserError;

use crate::http::error::{ApiError, Code};

/// Returns the protocol error for a failed search.
pub fn search_error(error: milli::Error) -> ApiError {
    let code = match &error {
        milli::Error::UserError(user) => match user {
            UserError::InvalidFilter(_)
            | UserError::InvalidFilterExpression(..)
            | UserError::FilterOperatorNotAllowed { .. } => Code::InvalidSearchFilter,
            UserError::InvalidSortableAttribute { .. }
            | UserError::SortRankingRuleMissing
            | UserError::SortError(_) => Code::InvalidSearchSort,
            UserError::InvalidFacetsDistribution { .. } => Code::InvalidSearchFacets,
            UserError::InvalidDistinctAttribute { .. } => Code::InvalidSearchDistinct,
            UserError::InvalidSearchableAttribute { .. } => Code::InvalidSearchAttributesToSearchOn,
            UserError::InvalidFacetSearchFacetName { .. } => Code::InvalidFacetSearchFacetName,
            _ => return ApiError::internal(error),
        },
        _ => return ApiError::internal(error),
    };
    ApiError::new(code, error.to_string())
}
