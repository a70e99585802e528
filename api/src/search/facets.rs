//! `GET /api/facets.php?facet=&q=&lang=&index=&gender=&not_categories=`: values of a filter, found by typing.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Gender, Lang, MemberFilter, ModelFilter, labels};
use lantern_index::{Filter, IndexName, SearchClient, text};
use lantern_ratelimit::Action;
use meilisearch_sdk::search::{FacetHit, FacetSearchQuery};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{ask::categories, people_facets::FacetValue};
use crate::{
    http::{
        cost,
        error::{ApiError, ApiResult},
        extract::{Client, FilterWord, Kind, Query},
    },
    index::Categories,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often},
        params::{self, query},
    },
    state::AppState,
};

/// Labels found by another spelling are counted one by one.
const MOST_OTHERWISE: usize = 10;

/// Values of a filter.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FacetsAnswer {
    /// Values with labels and counts, most first.
    facets: Vec<FacetValue>,
}

/// A filter whose values have words.
#[derive(Debug, Clone, Copy)]
enum Facet {
    Categories,
    /// A filter of models or members, by its name.
    People(IndexName, &'static str),
}

impl Facet {
    fn index(self) -> IndexName {
        match self {
            Self::Categories => IndexName::Videos,
            Self::People(index, _) => index,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Categories => "categories",
            Self::People(_, name) => name,
        }
    }
}

pub fn doc(config: &Config) -> Doc {
    let mut facets = vec!["categories"];
    let coded = |filter: &&'static str| !facets.contains(filter);
    let people: Vec<&str> =
        codes_of::<ModelFilter>().into_iter().chain(codes_of::<MemberFilter>()).filter(coded).collect();
    for facet in people {
        // A picture is there or not; there is nothing to type.
        if !facets.contains(&facet) && facet != MemberFilter::Avatar.as_str() {
            facets.push(facet);
        }
    }
    let indexes = [IndexName::Videos, IndexName::Models, IndexName::Members].map(IndexName::uid);
    Doc::new("search", "facets", "/api/facets.php", "Values of a filter, found by typing")
        .about(
            "Labels in the visitor's language that begin with what is typed, with counts; the value is the code for addresses. The \
             index follows from the facet, except that what both models and members have is the models' unless `index` says so.",
        )
        .takes(query("facet", "The filter.", json!({ "type": "string", "enum": facets }), "race").required())
        .takes(query("q", "The beginning of a label; all when empty.", json!({ "type": "string", "maxLength": config.listing.search_max }), "a"))
        .takes(params::lang())
        .takes(params::dirs("not_categories", config, ""))
        .takes(query("index", "Whose filter it is.", json!({ "type": "string", "enum": indexes }), IndexName::Models.uid()))
        .takes(query(
            "gender",
            "Counts only videos or models of the orientation; members have none.",
            json!({ "$ref": "#/components/schemas/Gender" }),
            Gender::Str.as_str(),
        ))
        .answers::<FacetsAnswer>("Values with labels and counts, most first.")
        .refuses(refusal(404, &[("category_not_found", "no such category in `not_categories`")]))
        .refuses(refusal(422, &[("required", "`facet` is not there"), ("max_length", "`q` is too long")]))
        .refuses(invalid())
        .refuses(too_often())
}

fn codes_of<F: FilterWord>() -> Vec<&'static str> {
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
    let excluded = match facet {
        Facet::Categories => categories(&state, &query, "not_categories").await?,
        Facet::People(..) => Vec::new(),
    };
    // What members are isn't the orientation of videos and models.
    let gender = gender.filter(|_| facet.index() != IndexName::Members);
    let gender = gender.map(|gender| Filter::eq("gender", gender.as_str()));
    let excluded = excluded.iter().map(|dir| !Filter::eq("category_dirs", dir));
    let filter = Filter::all(gender.into_iter().chain(excluded)).to_expression();
    let facets = cost::paid(search(&state, facet, &text, filter.as_deref(), lang)).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(FacetsAnswer { facets })).into_response())
}

fn facet(query: &Query) -> ApiResult<Facet> {
    let name = query.get("facet").ok_or(ApiError::Field { field: "facet", code: "required", bound: None })?;
    let named = query.get("index");
    let facet = match name {
        "categories" => Facet::Categories,
        // What both have is the models', unless members are named.
        name => match name.parse::<ModelFilter>() {
            Ok(filter) if named != Some(IndexName::Members.uid()) => people(filter)?,
            _ => match name.parse() {
                // A picture is there or not; there is nothing to type.
                Ok(MemberFilter::Avatar) | Err(_) => return Err(ApiError::invalid("facet")),
                Ok(filter) => people(filter)?,
            },
        },
    };
    // The index follows from the facet; one that contradicts it is a mistake.
    match named {
        Some(named) if named != facet.index().uid() => Err(ApiError::invalid("index")),
        _ => Ok(facet),
    }
}

fn people<F: FilterWord>(filter: F) -> ApiResult<Facet> {
    if filter.kind() == Kind::Codes {
        Ok(Facet::People(F::INDEX, filter.as_str()))
    } else {
        Err(ApiError::invalid("facet"))
    }
}

async fn search(
    state: &AppState,
    facet: Facet,
    text: &str,
    filter: Option<&str>,
    lang: Lang,
) -> ApiResult<Vec<FacetValue>> {
    let (index, name) = (facet.index(), facet.name());
    let attribute = format!("labels.{lang}.{name}");
    let categories = state.categories.current().await?;
    let mut hits = hits_of(&state.search, index, &attribute, text, filter).await?;
    if hits.is_empty() {
        for label in spelled_otherwise(facet, text, &categories, lang) {
            let found = hits_of(&state.search, index, &attribute, label, filter).await?;
            hits.extend(found.into_iter().filter(|hit| hit.value == label));
        }
    }
    Ok(hits.into_iter().filter_map(|hit| value(facet, hit, &categories, lang)).collect())
}

/// Labels that begin with the text.
async fn hits_of(
    search: &SearchClient,
    index: IndexName,
    attribute: &str,
    text: &str,
    filter: Option<&str>,
) -> ApiResult<Vec<FacetHit>> {
    let index = search.index(index.uid());
    let mut request = FacetSearchQuery::new(&index, attribute);
    request.with_facet_query(text).with_exhaustive_facet_count(true);
    if let Some(filter) = filter {
        request.with_filter(filter);
    }
    Ok(request.build().execute().await?.facet_hits)
}

/// Labels that hold every word of the text in the spelling of searches. The engine knows neither `ss` for ß nor
/// l for ł, and of a label's words it looks at the first only.
fn spelled_otherwise<'a>(facet: Facet, text: &str, categories: &'a Categories, lang: Lang) -> Vec<&'a str> {
    let labels: Vec<&str> = match facet {
        Facet::Categories => {
            let titles = categories.list.iter().map(|category| categories.title(&category.dir, lang));
            titles.collect()
        }
        Facet::People(_, name) => labels::codes(name).into_iter().map(|code| labels::label(name, code, lang)).collect(),
    };
    let query = text::query(text, lang);
    let holds = |label: &&str| {
        let words = text::companion(label, lang);
        query.split(' ').all(|typed| words.split(' ').any(|word| word.starts_with(typed)))
    };
    labels.into_iter().filter(holds).take(MOST_OTHERWISE).collect()
}

/// The index knows labels; the address needs their code.
fn value(facet: Facet, hit: FacetHit, categories: &Categories, lang: Lang) -> Option<FacetValue> {
    let code = match facet {
        Facet::Categories => categories.dir_of(&hit.value, lang).map(str::to_owned),
        Facet::People(_, name) => {
            labels::codes(name).into_iter().find(|code| labels::label(name, code, lang) == hit.value).map(str::to_owned)
        }
    };
    code.map(|value| FacetValue { value, label: hit.value, total: hit.count })
}
