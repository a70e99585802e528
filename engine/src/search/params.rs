//! What a search asks for.

use milli_core::TermsMatchingStrategy;
use milli_core::tokenizer::Language;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::locale;
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

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Matching {
    Last,
    All,
    Frequency,
}

const DEFAULT_LIMIT: usize = 20;
const DEFAULT_CROP_LENGTH: usize = 10;

impl SearchParams {
    /// Takes the parameters out of `fields`; what is left there is refused by the caller's `finish`.
    pub fn take(fields: &mut Fields) -> Result<Self, ApiError> {
        for name in ["hybrid", "vector", "retrieveVectors", "media", "federationOptions", "personalize"] {
            fields.refuse(name)?;
        }
        Ok(Self {
            q: fields.take("q", Code::InvalidSearchQ)?,
            page: take_page(fields)?,
            filter: fields.take("filter", Code::InvalidSearchFilter)?,
            facets: fields.take("facets", Code::InvalidSearchFacets)?,
            sort: fields.take("sort", Code::InvalidSearchSort)?,
            distinct: fields.take("distinct", Code::InvalidSearchDistinct)?,
            retrieve: fields.take("attributesToRetrieve", Code::InvalidSearchAttributesToRetrieve)?,
            search_on: fields.take("attributesToSearchOn", Code::InvalidSearchAttributesToSearchOn)?,
            highlight: fields
                .take("attributesToHighlight", Code::InvalidSearchAttributesToHighlight)?
                .unwrap_or_default(),
            crop: fields.take("attributesToCrop", Code::InvalidSearchAttributesToCrop)?.unwrap_or_default(),
            crop_length: fields.take("cropLength", Code::InvalidSearchCropLength)?.unwrap_or(DEFAULT_CROP_LENGTH),
            crop_marker: fields.take("cropMarker", Code::InvalidSearchCropMarker)?.unwrap_or_else(|| "…".into()),
            pre_tag: fields
                .take("highlightPreTag", Code::InvalidSearchHighlightPreTag)?
                .unwrap_or_else(|| "<em>".into()),
            post_tag: fields
                .take("highlightPostTag", Code::InvalidSearchHighlightPostTag)?
                .unwrap_or_else(|| "</em>".into()),
            matches_position: take_flag(fields, "showMatchesPosition", Code::InvalidSearchShowMatchesPosition)?,
            score: take_flag(fields, "showRankingScore", Code::InvalidSearchShowRankingScore)?,
            score_details: take_flag(fields, "showRankingScoreDetails", Code::InvalidSearchShowRankingScoreDetails)?,
            score_threshold: take_threshold(fields)?,
            matching: take_matching(fields)?,
            locales: take_locales(fields)?,
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

fn take_flag(fields: &mut Fields, name: &'static str, code: Code) -> Result<bool, ApiError> {
    Ok(fields.take(name, code)?.unwrap_or(false))
}

fn take_page(fields: &mut Fields) -> Result<Page, ApiError> {
    let offset = fields.take("offset", Code::InvalidSearchOffset)?;
    let limit = fields.take("limit", Code::InvalidSearchLimit)?;
    let page: Option<usize> = fields.take("page", Code::InvalidSearchPage)?;
    let size: Option<usize> = fields.take("hitsPerPage", Code::InvalidSearchHitsPerPage)?;
    if page.is_none() && size.is_none() {
        return Ok(Page::Offset { offset: offset.unwrap_or(0), limit: limit.unwrap_or(DEFAULT_LIMIT) });
    }
    Ok(Page::Numbered { page: page.unwrap_or(1), size: size.unwrap_or(DEFAULT_LIMIT) })
}

fn take_threshold(fields: &mut Fields) -> Result<Option<f64>, ApiError> {
    let code = Code::InvalidSearchRankingScoreThreshold;
    match fields.take("rankingScoreThreshold", code)? {
        Some(threshold) if !(0.0..=1.0).contains(&threshold) => Err(ApiError::new(
            code,
            "Invalid value at `.rankingScoreThreshold`: expected a number between `0.0` and `1.0`.",
        )),
        threshold => Ok(threshold),
    }
}

fn take_matching(fields: &mut Fields) -> Result<TermsMatchingStrategy, ApiError> {
    Ok(match fields.take("matchingStrategy", Code::InvalidSearchMatchingStrategy)? {
        None | Some(Matching::Last) => TermsMatchingStrategy::Last,
        Some(Matching::All) => TermsMatchingStrategy::All,
        Some(Matching::Frequency) => TermsMatchingStrategy::Frequency,
    })
}

fn take_locales(fields: &mut Fields) -> Result<Option<Vec<Language>>, ApiError> {
    let codes: Option<Vec<String>> = fields.take("locales", Code::InvalidSearchLocales)?;
    codes
        .map(|codes| {
            locale::languages(&codes).map_err(|unknown| {
                let message = format!("Invalid value at `.locales`: `{unknown}` is no language code.");
                ApiError::new(Code::InvalidSearchLocales, message)
            })
        })
        .transpose()
}

/// The parameters of a GET search as the JSON a POST would carry.
pub fn from_query(pairs: Vec<(String, String)>) -> Value {
    const LISTS: [&str; 6] = [
        "facets",
        "attributesToRetrieve",
        "attributesToHighlight",
        "attributesToCrop",
        "attributesToSearchOn",
        "locales",
    ];
    const PLAIN: [&str; 6] = ["q", "cropMarker", "highlightPreTag", "highlightPostTag", "matchingStrategy", "distinct"];
    let strings = |value: &str| Value::from(value.split(',').map(str::trim).collect::<Vec<_>>());
    let mut map = Map::new();
    for (name, value) in pairs {
        let value = match name.as_str() {
            name if LISTS.contains(&name) => strings(&value),
            name if PLAIN.contains(&name) => Value::String(value),
            "sort" => Value::from(sort_list(&value)),
            // A filter is an expression, or an array of them in JSON.
            "filter" => match serde_json::from_str(&value) {
                Ok(array @ Value::Array(_)) => array,
                _ => Value::String(value),
            },
            _ => serde_json::from_str(&value).unwrap_or(Value::String(value)),
        };
        map.insert(name, value);
    }
    Value::Object(map)
}

/// Splits at commas outside brackets: `_geoPoint(1,2):asc` is one criterion.
fn sort_list(value: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in value.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
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
        let value = from_query(pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec());
        let params = SearchParams::take(&mut Fields::from_value(value).unwrap()).unwrap();
        assert_eq!(params.q.as_deref(), Some("42"));
        assert!(matches!(params.page, Page::Offset { offset: 0, limit: 5 }));
        assert_eq!(params.facets.unwrap(), ["a", "b"]);
        assert_eq!(params.sort.unwrap(), ["x:asc", "_geoPoint(1,2):desc"]);
        assert!(params.filter.unwrap().is_array());
        assert!(params.score);
    }
}
