//! `GET /api/json/main/{lifetime}/{gender}.{lang}.json`: data for the frame of every page.

use std::sync::Arc;

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, Gender, Lang, ModelSort, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Segments, cache::CachedAnswer, openapi::Doc};
use lantern_listing::{ModelFilters, ModelList, json_name, lifetime_of, word};
use lantern_search::{
    index::{CategoryCard, Keywords, ModelCard, Reader},
    shows,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    category::{CountedCategories, counted},
    model::list,
    params,
    sources::Sources,
};

/// Data for the frame of every page.
#[derive(Debug, Serialize, ToSchema)]
pub struct MainAnswer {
    /// Categories.
    categories: Vec<CategoryCard>,
    /// Fewest videos a category needs to be suggested before anything is typed.
    #[schema(example = 72, minimum = 0)]
    sidebar_min_videos: usize,
    /// Keywords.
    keywords: Vec<Keyword>,
    /// Models.
    models: Vec<ModelCard>,
    /// Models whose names are among the keywords.
    #[serde(skip)]
    named: Vec<Object>,
}

impl Shows for MainAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Category, LIST));
        objects.extend(&self.named);
        shows::models(&self.models, objects);
    }
}

/// A keyword at the foot of pages.
#[derive(Debug, Serialize, ToSchema)]
struct Keyword {
    /// Text to show.
    #[schema(example = "Night market")]
    title: String,
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read("lists", "main", "/api/json/main/{lifetime}/{gender}.{lang}.json", "Data for the frame of every page")
        .about(format!(
            "Categories that have videos, most videos first; {} keywords, which change daily; the {} most popular models.",
            config.listing.keywords, config.listing.home_block
        ))
        .takes_all([params::lifetime(lifetimes::MAIN), params::gender(), params::lang_segment()])
        .answers::<MainAnswer>("Categories, keywords and models.")
        .cache_control("public, max-age=14400, stale-while-revalidate=1440")
        .tagged()
}

pub(crate) async fn home(
    State(sources): State<Sources>,
    State(keywords): State<Arc<Keywords>>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::MAIN)?;
    let (gender, lang) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("not_found"))?;
    let (gender, lang): (Gender, Lang) = (word(gender)?, word(lang)?);
    get(&sources, &keywords, (lifetime, gender, lang)).await?.respond(&headers)
}

/// Returns the data of the frame for an orientation and language.
pub async fn get(
    sources: &Sources,
    keywords: &Arc<Keywords>,
    (lifetime, gender, lang): (u32, Gender, Lang),
) -> ApiResult<CachedAnswer<MainAnswer>> {
    let (Sources { cache, reader, .. }, keywords) = (sources.clone(), Arc::clone(keywords));
    let compute = async move { main(&reader, &keywords, gender, lang).await };
    cache.get(&format!("main/{lifetime}/{gender}.{lang}"), lifetime, compute).await
}

async fn main(reader: &Reader, keywords: &Keywords, gender: Gender, lang: Lang) -> ApiResult<MainAnswer> {
    let models = ModelList {
        lifetime: lifetimes::HOME,
        gender: Some(gender),
        filters: ModelFilters::default(),
        sort: ModelSort::MostPopular,
        count: reader.config.listing.home_block,
        page: 1,
    };
    let popular = list::page(reader, models.within(), &models, 0, lang);
    let keywords = keywords.today(lang);
    let (counted, (models, _), keywords) = tokio::try_join!(counted(reader, gender, lang), popular, keywords)?;
    let named = keywords.models;
    let keywords = keywords.titles.into_iter().map(|title| Keyword { title }).collect();
    let CountedCategories { categories, sidebar_min: sidebar_min_videos } = counted;
    Ok(MainAnswer { categories, sidebar_min_videos, keywords, models, named })
}
