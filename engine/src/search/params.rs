//! What a search asks for.

use milli_core::TermsMatchingStrategy;
use milli_core::tokenizer::Language;
use serde_json::Value;

use super::locale::Locale;
use super::values::{Criteria, Matching, Threshold};
use crate::http::error::{ApiError, Code};
use crate::http::fields::Fields;

/// A checked search request.
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
    pub matches_position: bool,
    pub score: bool,
    pub score_details: bool,
    pub score_threshold: Option<f64>,
    pub matching: TermsMatchingStrategy,
    pub locales: Option<Vec<Language>>,
}

/// Which part of the hits.
#[derive(Debug, Clone, Copy)]
pub enum Page {
    /// From `offset`, at most `limit`; the total is an estimate.
    Offset { offset: usize, limit: usize },
    /// Page `page` (from 1) of `size` hits; the total is exact.
    Numbered { page: usize, size: usize },
}

const DEFAULT_LIMIT: usize = 20;
const DEFAULT_CROP_LENGTH: usize = 10;

impl SearchParams {
    /// Takes the parameters out of `fields`; what is left there is refused by the caller's `finish`.
    pub fn take(fields: &mut Fields) -> Result<Self, ApiError> {
        let q = fields.take("q", Code::InvalidSearchQ)?;
        for name in ["vector", "hybrid", "media", "personalize", "federationOptions"] {
            fields.refuse(name)?;
        }
        let page = take_page(fields)?;
        let retrieve = fields.take("attributesToRetrieve", Code::InvalidSearchAttributesToRetrieve)?;
        fields.take_off("retrieveVectors", Code::InvalidSearchRetrieveVectors)?;
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
            matches_position: fields.take_or("showMatchesPosition", Code::InvalidSearchShowMatchesPosition, false)?,
            score: fields.take_or("showRankingScore", Code::InvalidSearchShowRankingScore, false)?,
            score_details: fields.take_or(
                "showRankingScoreDetails",
                Code::InvalidSearchShowRankingScoreDetails,
                false,
            )?,
            filter: fields.take("filter", Code::InvalidSearchFilter)?,
            sort: fields.take("sort", Code::InvalidSearchSort)?.map(|Criteria(sort)| sort),
            distinct: fields.take("distinct", Code::InvalidSearchDistinct)?,
            facets: fields.take("facets", Code::InvalidSearchFacets)?,
            pre_tag: fields.take_or("highlightPreTag", Code::InvalidSearchHighlightPreTag, "<em>".into())?,
            post_tag: fields.take_or("highlightPostTag", Code::InvalidSearchHighlightPostTag, "</em>".into())?,
            crop_marker: fields.take_or("cropMarker", Code::InvalidSearchCropMarker, "…".into())?,
            matching: take_matching(fields)?,
            search_on: fields.take("attributesToSearchOn", Code::InvalidSearchAttributesToSearchOn)?,
            score_threshold: take_threshold(fields)?,
            locales: take_locales(fields)?,
        })
    }

    /// Takes the parameters that narrow a search for facet values; whatever else belongs to searches is left there.
    pub fn take_narrowing(fields: &mut Fields) -> Result<Self, ApiError> {
        for name in ["vector", "hybrid", "media"] {
            fields.refuse(name)?;
        }
        Ok(Self {
            q: fields.take("q", Code::InvalidSearchQ)?,
            filter: fields.take("filter", Code::InvalidSearchFilter)?,
            matching: take_matching(fields)?,
            search_on: fields.take("attributesToSearchOn", Code::InvalidSearchAttributesToSearchOn)?,
            score_threshold: take_threshold(fields)?,
            locales: take_locales(fields)?,
            ..Self::take(&mut Fields::query(Vec::new()))?
        })
    }

    /// The words searched for; none for a list.
    pub fn words(&self) -> Option<&str> {
        self.q.as_deref().filter(|q| !q.trim().is_empty())
    }

    /// Whether hits carry `_formatted` or `_matchesPosition`.
    pub fn formats(&self) -> bool {
        !self.highlight.is_empty() || !self.crop.is_empty() || self.matches_position
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

fn take_threshold(fields: &mut Fields) -> Result<Option<f64>, ApiError> {
    let threshold = fields.take("rankingScoreThreshold", Code::InvalidSearchRankingScoreThreshold)?;
    Ok(threshold.map(|Threshold(score)| score))
}

fn take_matching(fields: &mut Fields) -> Result<TermsMatchingStrategy, ApiError> {
    Ok(match fields.take_or("matchingStrategy", Code::InvalidSearchMatchingStrategy, Matching::Last)? {
        Matching::Last => TermsMatchingStrategy::Last,
        Matching::All => TermsMatchingStrategy::All,
        Matching::Frequency => TermsMatchingStrategy::Frequency,
    })
}

fn take_locales(fields: &mut Fields) -> Result<Option<Vec<Language>>, ApiError> {
    let locales: Option<Vec<Locale>> = fields.take("locales", Code::InvalidSearchLocales)?;
    Ok(locales.map(|locales| locales.into_iter().map(|Locale(language)| language).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_string_reads_like_a_body() {
        let pairs = [
            ("q", "42"),
            ("limit", "5"),
            ("facets", "a,b"),
            ("sort", "x:asc,_geoPoint(1,2):desc"),
            ("filter", r#"["a = 1", ["b = 2"]]"#),
            ("showRankingScore", "true"),
        ];
        let pairs = pairs.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let params = SearchParams::take(&mut Fields::query(pairs.to_vec())).unwrap();
        assert_eq!(params.q.as_deref(), Some("42"));
        assert!(matches!(params.page, Page::Offset { offset: 0, limit: 5 }));
        assert_eq!(params.facets.unwrap(), ["a", "b"]);
        assert_eq!(params.sort.unwrap(), ["x:asc", "_geoPoint(1,2):desc"]);
        assert!(params.filter.unwrap().is_array());
        assert!(params.score);
    }
}
