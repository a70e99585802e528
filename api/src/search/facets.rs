//! `GET /api/facets.php?facet=&q=&lang=&index=&gender=&categories=&not_categories=&models=&not_models=`: values of a filter that match
//! what is being typed.

use std::collections::HashMap;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Gender, Lang, MemberFilter, ModelFilter, labels};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, cost,
    openapi::{Doc, invalid, query, refusal, too_often},
};
use lantern_index::{Filter, IndexName, SearchClient, text};
use lantern_listing::{FilterWord, Kind, Names};
use lantern_ratelimit::Action;
use lantern_search::{
    index::{Categories, CategoryNames},
    model_facets,
    people_facets::{FacetValue, MAX_VALUES},
};
use meilisearch_sdk::search::{FacetSearchQuery, SearchQuery, Selectors};
use serde::{Serialize, de::IgnoredAny};
use serde_json::json;
use utoipa::ToSchema;

use crate::{existence::all_known, params, state::AppState};

/// Values of a filter.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FacetsAnswer {
    /// Values with labels and counts, highest count first.
    facets: Vec<FacetValue>,
}

/// A filter whose values can be searched by typing.
#[derive(Debug, Clone, Copy)]
enum Facet {
    /// There are too many models to list, so they are searched in a separate index.
    Models,
    Labelled(SmallFacet),
}

/// A filter with few values, which have labels.
#[derive(Debug, Clone, Copy)]
enum SmallFacet {
    Categories,
    /// A filter for models or members, given by its name.
    People(IndexName, &'static str),
}

impl Facet {
    /// Returns the index of the list that the facet filters.
    fn index(self) -> IndexName {
        match self {
            Self::Models => IndexName::Videos,
            Self::Labelled(facet) => facet.index(),
        }
    }

    /// Whether the facet's counts are numbers of videos.
    fn counts_videos(self) -> bool {
        matches!(self, Self::Models | Self::Labelled(SmallFacet::Categories))
    }
}

impl SmallFacet {
    fn index(self) -> IndexName {
        match self {
            Self::Categories => IndexName::Videos,
            Self::People(index, _) => index,
        }
    }

    /// Returns the field that contains the codes.
    fn field(self) -> &'static str {
        match self {
            Self::Categories => "category_dirs",
            Self::People(_, name) => name,
        }
    }

    /// Returns the index and the field that contain the labels, for searches by the engine.
    fn labels(self, lang: Lang) -> (IndexName, String) {
        match self {
            Self::Categories => (IndexName::Categories, format!("titles.{lang}")),
            Self::People(index, name) => (index, format!("labels.{lang}.{name}")),
        }
    }
}

pub fn doc(config: &Config) -> Doc {
    let mut facets = vec!["categories", "models"];
    let coded = |filter: &&'static str| !facets.contains(filter);
    let people: Vec<&str> =
        code_filters::<ModelFilter>().into_iter().chain(code_filters::<MemberFilter>()).filter(coded).collect();
    for facet in people {
        // Having a picture is either yes or no, so there is nothing to type.
        if !facets.contains(&facet) && facet != MemberFilter::Avatar.as_str() {
            facets.push(facet);
        }
    }
    let indexes = [IndexName::Videos, IndexName::Models, IndexName::Members].map(IndexName::uid);
    Doc::new("search", "facets", "/api/facets.php", "Search the values of a filter")
        .about(
            "Returns values whose label in the visitor's language has words that begin with `q`, with counts; the value is the code for \
             addresses. The facet determines the index; a facet that both models and members have means the models' one unless `index` is \
             `members`. Categories and models are counted among the videos that pass `categories`, `not_categories`, `models` and \
             `not_models`.",
        )
        .takes(query("facet", "The filter.", json!({ "type": "string", "enum": facets }), "race").required())
        .takes(query("q", "Prefix of a label or of its words; all values if empty.", json!({ "type": "string", "maxLength": config.listing.search_max }), "a"))
        .takes(params::lang())
        .takes_all(params::names(config))
        .takes(query("index", "Index of the filter.", json!({ "type": "string", "enum": indexes }), IndexName::Models.uid()))
        .takes(query(
            "gender",
            "Counts only videos or models of this orientation; ignored for members.",
            json!({ "$ref": "#/components/schemas/Gender" }),
            Gender::Str.as_str(),
        ))
        .answers::<FacetsAnswer>("Values with labels and counts, highest count first.")
        .refuses(refusal(404, &[("category_not_found", "no such category"), ("model_not_found", "no such model")]))
        .refuses(refusal(422, &[("required", "`facet` is missing"), ("max_length", "`q` is too long")]))
        .refuses(invalid())
        .refuses(too_often())
}

fn code_filters<F: FilterWord>() -> Vec<&'static str> {
    F::ALL.iter().filter(|filter| filter.kind() == Kind::Codes).map(|filter| filter.as_str()).collect()
}

pub async fn facets(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.check(Action::Search, client.key)?;
    let facet = facet(&query)?;
    let lang = query.lang()?;
    let gender: Option<Gender> = query.word("gender")?;
    let text = match query.get("q") {
        Some(_) => query.text("q", 0..=state.config.listing.search_max)?,
        None => String::new(),
    };
    // Invalid names are refused even for facets that ignore them.
    let names = Names::parse(|name| query.get(name), &state.config)?;
    let names = if facet.counts_videos() { names } else { Names::default() };
    all_known(&state.pool, &state.reader, &names).await?;
    // A member's gender is not the orientation of videos and models.
    let gender = gender.filter(|_| facet.index() != IndexName::Members);
    let gender = gender.map(|gender| Filter::eq("gender", gender.as_str()));
    let filter = Filter::all(gender.clone().into_iter().chain(names.filters()));
    let facets = match facet {
        Facet::Models => cost::paid(model_facets::values(&state.reader, &text, gender, filter, lang)).await?,
        Facet::Labelled(facet) => {
            cost::paid(search(
                &state.reader.search,
                &state.reader.categories,
                facet,
                &text,
                filter.to_expression().as_deref(),
                lang,
            ))
            .await?
        }
    };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(FacetsAnswer { facets })).into_response())
}

fn facet(query: &Query) -> ApiResult<Facet> {
    let name = query.get("facet").ok_or(ApiError::required("facet"))?;
    let named = query.get("index");
    let facet = match name {
        "categories" => Facet::Labelled(SmallFacet::Categories),
        "models" => Facet::Models,
        // If both lists have the filter, it is the one for models unless `index` names members.
        name => match name.parse::<ModelFilter>() {
            Ok(filter) if named != Some(IndexName::Members.uid()) => people(filter)?,
            _ => match name.parse() {
                // Having a picture is either yes or no, so there is nothing to type.
                Ok(MemberFilter::Avatar) | Err(_) => return Err(ApiError::invalid("facet")),
                Ok(filter) => people(filter)?,
            },
        },
    };
    // The facet determines the index, and `index` must not contradict it.
    match named {
        Some(named) if named != facet.index().uid() => Err(ApiError::invalid("index")),
        _ => Ok(facet),
    }
}

fn people<F: FilterWord>(filter: F) -> ApiResult<Facet> {
    if filter.kind() == Kind::Codes {
        Ok(Facet::Labelled(SmallFacet::People(F::INDEX, filter.as_str())))
    } else {
        Err(ApiError::invalid("facet"))
    }
}

/// Returns the values in use whose label matches the text, highest count first.
async fn search(
    search: &SearchClient,
    categories: &CategoryNames,
    facet: SmallFacet,
    text: &str,
    filter: Option<&str>,
    lang: Lang,
) -> ApiResult<Vec<FacetValue>> {
    let categories = categories.current().await?;
    let mut values: Vec<FacetValue> = counts(search, facet, filter)
        .await?
        .into_iter()
        .map(|(value, total)| FacetValue { label: label(facet, &value, &categories, lang), detail: None, value, total })
        .collect();
    values.sort_by(|one, other| other.total.cmp(&one.total).then_with(|| one.value.cmp(&other.value)));
    if !text.is_empty() {
        let query = text::query(text, lang);
        if values.iter().any(|value| matches_label(&value.label, &query, lang)) {
            values.retain(|value| matches_label(&value.label, &query, lang));
        } else {
            let found = labels_by_engine(search, facet, text, lang).await?;
            values.retain(|value| found.contains(&value.label));
        }
    }
    values.truncate(MAX_VALUES);
    Ok(values)
}

/// Returns the number of documents for each code.
async fn counts(search: &SearchClient, facet: SmallFacet, filter: Option<&str>) -> ApiResult<HashMap<String, usize>> {
    let index = search.index(facet.index().uid());
    let fields = [facet.field()];
    let mut request = SearchQuery::new(&index);
    request.with_limit(0).with_facets(Selectors::Some(&fields));
    if let Some(filter) = filter {
        request.with_filter(filter);
    }
    let found = request.build().execute::<IgnoredAny>().await?;
    Ok(found.facet_distribution.unwrap_or_default().remove(facet.field()).unwrap_or_default())
}

fn label(facet: SmallFacet, value: &str, categories: &Categories, lang: Lang) -> String {
    match facet {
        SmallFacet::Categories => categories.title(value, lang).to_owned(),
        SmallFacet::People(_, name) => labels::label(name, value, lang).to_owned(),
    }
}

/// Whether each word in the query is a prefix of a word in the label. Both are spelled as in searches.
fn matches_label(label: &str, query: &str, lang: Lang) -> bool {
    let words = text::companion(label, lang);
    query.split(' ').all(|typed| words.split(' ').any(|word| word.starts_with(typed)))
}

/// Returns labels that begin with the text, allowing for typos. This also works for scripts without spaces.
async fn labels_by_engine(search: &SearchClient, facet: SmallFacet, text: &str, lang: Lang) -> ApiResult<Vec<String>> {
    let (index, attribute) = facet.labels(lang);
    let index = search.index(index.uid());
    let mut request = FacetSearchQuery::new(&index, &attribute);
    request.with_facet_query(text);
    Ok(request.build().execute().await?.facet_hits.into_iter().map(|hit| hit.value).collect())
}
