//! `GET /api/json/model/{lifetime}/{prefix}/{dir}.json?lang=`: a model's profile.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, Lang, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::CachedAnswer,
    openapi::{Doc, invalid, refusal},
};
use lantern_index::{Filter, IndexName, all_names};
use lantern_listing::{json_name, lifetime_of, prefix, prefixed_dir};
use lantern_search::index::{ModelCard, ModelDoc, Reader};
use meilisearch_sdk::search::SearchQuery;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{params, sources::Sources};

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelAnswer {
    /// The model.
    pub model: Model,
}

impl Shows for ModelAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Model, self.model.card.model_id));
    }
}

/// Profile of a model. The age is public, the birth date is not.
#[derive(Debug, Serialize, ToSchema)]
pub struct Model {
    /// Fields that lists show, too.
    #[serde(flatten)]
    pub card: ModelCard,
    /// Other names, in every script.
    #[schema(example = json!(["Mika"]))]
    pub aliases: Vec<String>,
    /// Code.
    #[schema(example = "asian")]
    race: Option<String>,
    /// Code.
    #[schema(example = "black")]
    hair_color: Option<String>,
    /// Code.
    #[schema(example = "medium")]
    tits_size: Option<String>,
    /// Centimetres.
    #[schema(example = 168, minimum = 1)]
    height: Option<i64>,
    /// Kilograms.
    #[schema(example = 52, minimum = 1)]
    weight: Option<i64>,
    /// `yes` or `no`.
    #[schema(example = "no")]
    tattoo: Option<String>,
    /// `yes` or `no`.
    #[schema(example = "no")]
    piercing: Option<String>,
    /// Free text of several sentences.
    #[schema(example = "Some words about me.")]
    pub about: Option<String>,
    /// Counts.
    statistics: ModelStatistics,
}

/// Counts of a model.
#[derive(Debug, Serialize, ToSchema)]
struct ModelStatistics {
    /// Videos.
    #[schema(example = 12, minimum = 0)]
    videos: i64,
    /// Total views.
    #[schema(example = 1204, minimum = 0)]
    viewed: i64,
    /// Number of subscribers.
    #[schema(example = 17, minimum = 0)]
    subscribers: i64,
}

pub(crate) fn doc(_: &Config) -> Doc {
    Doc::read("objects", "model", "/api/json/model/{lifetime}/{prefix}/{dir}.json", "One model")
        .takes(params::lifetime(lifetimes::LISTS))
        .about("The labels of codes such as `hair_color` are in `facets` of the list of models.")
        .takes_all(params::prefixed_dir("nguyen-thu-ha"))
        .takes(params::lang())
        .answers::<ModelAnswer>("The model.")
        .cached()
        .refuses(refusal(404, &[("model_not_found", "no such model, or the wrong prefix")]))
        .refuses(invalid())
}

pub(crate) async fn model(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, prefix, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::LISTS)?;
    let name = prefixed_dir(&prefix, json_name(&file)?, "model_not_found")?;
    get(&sources, lifetime, &name, query.lang()?).await?.respond(&headers)
}

/// Returns the model with this name in URLs, as seen in `lang`.
pub async fn get(sources: &Sources, lifetime: u32, name: &str, lang: Lang) -> ApiResult<CachedAnswer<ModelAnswer>> {
    let key = format!("model/{lifetime}/{}/{name}?{lang}", prefix(name));
    let (Sources { cache, reader, .. }, name) = (sources.clone(), name.to_owned());
    let compute = async move { load(&reader, &name, lang).await };
    cache.get(&key, lifetime, compute).await
}

async fn load(reader: &Reader, name: &str, lang: Lang) -> ApiResult<ModelAnswer> {
    let index = reader.search.index(IndexName::Models.uid());
    let filter = Filter::eq("dir", name).to_string();
    let found = SearchQuery::new(&index).with_filter(&filter).with_limit(1).build().execute::<ModelDoc>().await?;
    let hit = found.hits.into_iter().next().ok_or(ApiError::NotFound("model_not_found"))?;
    let model = hit.result;
    let card = ModelCard::new(&model, lang, reader.now());
    let names = all_names(&model.title, &model.titles, &model.aliases).into_iter();
    let aliases = names.filter(|name| *name != card.title).map(str::to_owned).collect();
    Ok(ModelAnswer {
        model: Model {
            card,
            aliases,
            statistics: ModelStatistics {
                videos: model.total_videos,
                viewed: model.viewed,
                subscribers: model.subscribers,
            },
            race: model.race,
            hair_color: model.hair_color,
            tits_size: model.tits_size,
            height: model.height,
            weight: model.weight,
            tattoo: model.tattoo,
            piercing: model.piercing,
            about: model.about,
        },
    })
}
