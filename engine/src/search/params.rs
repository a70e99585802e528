//! Parameters of a search.

use milli_core::TermsMatchingStrategy;
use milli_core::score_details::ScoringStrategy;
use serde_json::Value;

use super::values::Matching;
use crate::http::error::{ApiError, Code};
use crate::http::fields::Fields;

#[derive(Debug, Clone)]
pub struct SearchParams {
    pub q: Option<String>,
    pub page: Page,
    pub filter: Option<Value>,
    pub facets: Option<Vec<String>>,
    pub sort: Option<Vec<String>>,
    pub distinct: Option<String>,
    pub retrieve: Option<Vec<String>>,
    pub search_on: Option<Vec<String>>,
    pub highlight: Vec<String>,
    pub crop: Vec<String>,
    pub crop_length: usize,
    pub crop_marker: String,
    pub pre_tag: String,
    pub post_tag: String,
    pub score: bool,
    /// Whether hits include the score of each rule.
    pub details: bool,
    pub matching: TermsMatchingStrategy,
}

/// Selection of hits.
#[derive(Debug, Clone, Copy)]
pub enum Page {
    /// At most `limit` hits, starting at `offset`. The total is an estimate.
    Offset { offset: usize, limit: usize },
    /// Page number `page`, counted from 1, with `size` hits per page. The total is exact.
    Numbered { page: usize, size: usize },
}

/// Parameters in the protocol that this engine doesn't support.
const UNSUPPORTED: [&str; 8] = [
    "vector",
    "hybrid",
    "media",
    "personalize",
    "federationOptions",
    "showMatchesPosition",
    "rankingScoreThreshold",
    "locales",
];
/// Parameters in [`UNSUPPORTED`] that narrow a facet search.
const UNSUPPORTED_NARROWING: [&str; 5] = ["vector", "hybrid", "media", "rankingScoreThreshold", "locales"];

const DEFAULT_LIMIT: usize = 20;
const DEFAULT_CROP_LENGTH: usize = 10;

impl SearchParams {
    /// Takes the parameters from `fields`. The caller's `finish` refuses the rest.
    pub fn take(fields: &mut Fields) -> Result<Self, ApiError> {
        let q = fields.take("q", Code::InvalidSearchQ)?;
        for name in UNSUPPORTED {
            fields.refuse(name)?;
        }
        let page = take_page(fields)?;
        let retrieve = fields.take("attributesToRetrieve", Code::InvalidSearchAttributesToRetrieve)?;
        fields.take_disabled("retrieveVectors", Code::InvalidSearchRetrieveVectors)?;
        let crop: Option<Vec<String>> = fields.take("attributesToCrop", Code::InvalidSearchAttributesToCrop)?;
        let crop_length = fields.take_or("cropLength", Code::InvalidSearchCropLength, DEFAULT_CROP_LENGTH)?;
        let highlight: Option<Vec<String>> =
            fields.take("attributesToHighlight", Code::InvalidSearchAttributesToHighlight)?;
        Ok(Self {
            q,
            page,
            retrieve,
            crop: crop.unwrap_or_default(),
            crop_length,
            highlight: highlight.unwrap_or_default(),
            score: fields.take_or("showRankingScore", Code::InvalidSearchShowRankingScore, false)?,
            details: fields.take_or("showRankingScoreDetails", Code::InvalidSearchShowRankingScoreDetails, false)?,
            filter: fields.take("filter", Code::InvalidSearchFilter)?,
            sort: fields.take("sort", Code::InvalidSearchSort)?,
            distinct: fields.take("distinct", Code::InvalidSearchDistinct)?,
            facets: fields.take("facets", Code::InvalidSearchFacets)?,
            pre_tag: fields.take_or("highlightPreTag", Code::InvalidSearchHighlightPreTag, "<em>".into())?,
            post_tag: fields.take_or("highlightPostTag", Code::InvalidSearchHighlightPostTag, "</em>".into())?,
            crop_marker: fields.take_or("cropMarker", Code::InvalidSearchCropMarker, "…".into())?,
            matching: take_matching(fields)?,
            search_on: fields.take("attributesToSearchOn", Code::InvalidSearchAttributesToSearchOn)?,
        })
    }

    /// Takes the parameters that narrow a facet search and ignores other search parameters.
    pub fn take_narrowing(fields: &mut Fields) -> Result<Self, ApiError> {
        for name in UNSUPPORTED_NARROWING {
            fields.refuse(name)?;
        }
        Ok(Self {
            q: fields.take("q", Code::InvalidSearchQ)?,
            filter: fields.take("filter", Code::InvalidSearchFilter)?,
            matching: take_matching(fields)?,
            search_on: fields.take("attributesToSearchOn", Code::InvalidSearchAttributesToSearchOn)?,
            ..Self::take(&mut Fields::query(Vec::new()))?
        })
    }

    /// Returns the query words, or `None` if there are none and the search only lists documents.
    pub fn words(&self) -> Option<&str> {
        self.q.as_deref().filter(|q| !q.trim().is_empty())
    }

    /// Returns whether hits include scores.
    pub fn scores(&self) -> bool {
        self.score || self.details
    }

    /// Returns which scores milli computes.
    pub fn scoring(&self) -> ScoringStrategy {
        if self.scores() { ScoringStrategy::Detailed } else { ScoringStrategy::Skip }
    }

    /// Returns whether the total must be exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.page, Page::Numbered { .. })
    }

    /// Returns whether hits include `_formatted`.
    pub fn formats(&self) -> bool {
        !self.highlight.is_empty() || !self.crop.is_empty()
    }
}

fn take_page(fields: &mut Fields) -> Result<Page, ApiError> {
    let offset = fields.take_or("offset", Code::InvalidSearchOffset, 0)?;
    let limit = fields.take_or("limit", Code::InvalidSearchLimit, DEFAULT_LIMIT)?;
    let page: Option<usize> = fields.take("page", Code::InvalidSearchPage)?;
    let size: Option<usize> = fields.take("hitsPerPage", Code::InvalidSearchHitsPerPage)?;
    if page.is_none() && size.is_none() {
        return Ok(Page::Offset { offset, limit });
    }
    Ok(Page::Numbered { page: page.unwrap_or(1), size: size.unwrap_or(DEFAULT_LIMIT) })
}

fn take_matching(fields: &mut Fields) -> Result<TermsMatchingStrategy, ApiError> {
    Ok(match fields.take_or("matchingStrategy", Code::InvalidSearchMatchingStrategy, Matching::Last)? {
        Matching::Last => TermsMatchingStrategy::Last,
        Matching::All => TermsMatchingStrategy::All,
        Matching::Frequency => TermsMatchingStrategy::Frequency,
    })
}
