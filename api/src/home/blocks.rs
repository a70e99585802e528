//! `GET /api/json/home/{lifetime}/{gender}.{country}.{lang}.json`: all blocks of the home page in one answer, loaded by
//! one multi-search. Example: `/api/json/home/3600/str.DE.en.json`.

use std::collections::HashMap;

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::{Object, Shows};
use lantern_config::{Config, Gender, Lang, ModelSort, labels, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments,
    cache::CachedAnswer,
    openapi::{Doc, segment},
};
use lantern_index::{Filter, IndexName};
use lantern_listing::{SortWord, json_name, lifetime_of, word};
use lantern_search::{
    exclusions::{Exclusions, ListBounds},
    index::{
        self, Categories, Found, Hit, ModelCard, ModelDoc, Reader, VideoCard, VideoDoc, VideoQuery, prefer_language,
    },
    shows,
};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::{params, sources::Sources, video::sources::chart};

/// Blocks of the home page, in page order.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeAnswer {
    /// Most watched in the country.
    pub country: VideoBlock,
    /// Most watched today.
    pub day: VideoBlock,
    /// Newest.
    pub latest: VideoBlock,
    /// Most popular models.
    pub models: ModelBlock,
}

/// First videos of a listing.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoBlock {
    /// First videos.
    pub videos: Vec<VideoCard>,
    /// Videos in the whole listing.
    #[schema(example = 1, minimum = 0)]
    total_count: usize,
}

/// First models of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelBlock {
    /// First models.
    pub models: Vec<ModelCard>,
    /// Models in the whole list.
    #[schema(example = 1, minimum = 0)]
    total_count: usize,
}

impl Shows for HomeAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        for block in [&self.country, &self.day, &self.latest] {
            shows::videos(&block.videos, objects);
        }
        shows::models(&self.models.models, objects);
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    let country = json!({ "type": "string", "pattern": "^[A-Z]{2}$" });
    Doc::read(
        "lists",
        "home",
        "/api/json/home/{lifetime}/{gender}.{country}.{lang}.json",
        "The blocks of the home page",
    )
    .about(format!(
        "The first {} of each list: most watched in the country, most watched today, newest, most popular models.",
        config.listing.home_block
    ))
    .takes_all([params::lifetime(lifetimes::HOME_BLOCKS), params::gender()])
    .takes(segment("country", "ISO 3166-1 alpha-2; `XX` if unknown.", country, "JP"))
    .takes(params::lang_segment())
    .answers::<HomeAnswer>("Blocks of the home page, in page order.")
    .cache_control("public, max-age=3600, stale-while-revalidate=360")
    .tagged()
}

pub(crate) async fn blocks(
    State(sources): State<Sources>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let (lifetime, gender, country, lang) = read(&lifetime, &file)?;
    get(&sources, lifetime, (gender, &country), lang).await?.respond(&headers)
}

/// Parses lifetime, orientation, country and language from the path.
pub(crate) fn read(lifetime: &str, file: &str) -> ApiResult<(u32, Gender, String, Lang)> {
    let lifetime = lifetime_of(lifetime, lifetimes::HOME_BLOCKS)?;
    let parts: Vec<&str> = json_name(file)?.split('.').collect();
    let [gender, country, lang] = parts[..] else { return Err(ApiError::NotFound("not_found")) };
    Ok((lifetime, word(gender)?, country.to_owned(), word(lang)?))
}

/// Returns the blocks for an orientation and country.
pub async fn get(
    sources: &Sources,
    lifetime: u32,
    (gender, country): (Gender, &str),
    lang: Lang,
) -> ApiResult<CachedAnswer<HomeAnswer>> {
    let Sources { cache, reader, .. } = sources.clone();
    check_country(&reader.config, country)?;
    let key = format!("home/{lifetime}/{gender}.{country}.{lang}");
    let country = country.to_owned();
    let compute = async move { load(&reader, gender, &country, lang, &ListBounds::everything()).await };
    cache.get(&key, lifetime, compute).await
}

/// Returns the same blocks without what the viewer muted.
pub(crate) async fn without(
    reader: &Reader,
    (gender, country): (Gender, &str),
    lang: Lang,
    exclusions: Exclusions,
) -> ApiResult<HomeAnswer> {
    check_country(&reader.config, country)?;
    load(reader, gender, country, lang, &exclusions.allowed()).await
}

fn check_country(config: &Config, country: &str) -> ApiResult<()> {
    let known = country == config.visitors.default_country || labels::is_country(country);
    if known { Ok(()) } else { Err(ApiError::NotFound("not_found")) }
}

async fn load(
    reader: &Reader,
    gender: Gender,
    country: &str,
    lang: Lang,
    allowed: &ListBounds,
) -> ApiResult<HomeAnswer> {
    let (now, limit) = (reader.now(), reader.config.listing.home_block as usize);
    // Charts have a separate index, which holds ids of videos. There is no chart for an unknown country.
    let chart = if country == reader.config.visitors.default_country {
        None
    } else {
        Some(chart(reader, gender, country, limit, allowed).await?)
    };
    let of_gender = || Filter::eq("gender", gender.as_str());
    let videos =
        |filter: Filter, sort| VideoQuery { sort, limit, counts: &[], ..VideoQuery::new(filter.and(allowed.filter())) };
    let models = VideoQuery {
        index: IndexName::Models,
        sort: &ModelSort::MostPopular.keys(),
        limit,
        fields: ModelDoc::fields(),
        counts: &[],
        ..VideoQuery::new(of_gender().and(allowed.models()))
    };
    let charted =
        chart.as_ref().map_or_else(of_gender, |chart| Filter::in_("id", chart.hits.iter().map(|(id, _)| *id)));
    let queries = [
        videos(charted, &["viewed:desc", "id:desc"]),
        videos(of_gender(), &["viewed_day:desc", "id:desc"]),
        videos(of_gender(), &["post_date:desc", "id:desc"]),
        models,
    ];
    let (found, names) = tokio::try_join!(index::find_many(&reader.search, &queries), reader.categories.current())?;
    let found: [Found<Hit>; 4] = found.try_into().map_err(|_| ApiError::internal("a search result is missing"))?;
    let [country, day, latest, models] = found;
    let mut country = country.read::<VideoDoc>()?;
    if let Some(chart) = chart {
        country.total = chart.total;
        country.hits.sort_by_key(|video| chart.hits.iter().position(|(id, _)| *id == video.id));
        let viewed: HashMap<i64, i64> = chart.hits.into_iter().collect();
        prefer_language(&mut country.hits, lang, |video| viewed.get(&video.id).copied());
    } else {
        prefer_language(&mut country.hits, lang, |video| video.viewed);
    }
    let models = models.read::<ModelDoc>()?;
    Ok(HomeAnswer {
        country: block(country, &names, lang),
        day: block(day.read()?, &names, lang),
        latest: block(latest.read()?, &names, lang),
        models: ModelBlock { total_count: models.total, models: ModelCard::list(&models.hits, lang, now) },
    })
}

fn block(found: Found<VideoDoc>, names: &Categories, lang: Lang) -> VideoBlock {
    let cards = found.hits.into_iter().map(|video| VideoCard::new(video, names, lang));
    VideoBlock { total_count: found.total, videos: cards.collect() }
}
