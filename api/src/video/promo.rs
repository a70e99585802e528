//! `GET /static/tf/videos.{id}.json?gender=&lang=`: videos for the friend site with the number `id`.
//!
//! Example: `/static/tf/videos.3.json?lang=de`. Every site gets a different sample of this month's most watched videos,
//! and a new one each day, so that the sites do not all show the same videos.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, Gender, Lang, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    openapi::{Doc, invalid, query, segment, unknown_address},
    security,
};
use lantern_index::Filter;
use lantern_listing::{json_name, number};
use lantern_search::index::{self, Found, Reader, VideoDoc, VideoQuery, display, duration_text, lot};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::{params, sources::Sources};

/// Highest number of a friend site, which bounds the size of the cache.
pub const SITES: u32 = 1000;
/// Size of the pool from which the sample is drawn, as a multiple of the sample size.
const POOL_FACTOR: usize = 10;
const DAY: i64 = 86_400;

/// Videos for a friend site.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PromoAnswer {
    /// Videos.
    videos: Vec<Promo>,
}

impl Shows for PromoAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Video, LIST));
        objects.extend(self.videos.iter().map(|promo| (Entity::Video, promo.video_id)));
    }
}

/// A video for another site to link; addresses are absolute.
#[derive(Debug, Serialize, ToSchema)]
struct Promo {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    video_id: i64,
    /// Text to show.
    #[schema(example = "Night market")]
    title: String,
    /// Address.
    #[schema(example = "https://tube.example/videos/1/night-market/")]
    url: String,
    /// Picture, 320 pixels wide.
    #[schema(example = "https://tube.example/media/p/demo/01/shot-1-320.webp")]
    thumb: String,
    /// `h:m:s`.
    #[schema(example = "12:05", pattern = "^(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]$")]
    duration: String,
}

pub fn doc(config: &Config) -> Doc {
    let site = json!({ "type": "integer", "minimum": 1, "maximum": SITES });
    let gender = json!({ "$ref": "#/components/schemas/Gender", "default": Gender::Str.as_str() });
    Doc::new("site", "promo", "/static/tf/videos.{id}.json", "Videos for a friend site")
        .about(format!(
            "{} of this month's most watched videos, another sample for every site and day.",
            config.listing.friend_promo
        ))
        .takes(segment("id", "Number of the friend site.", site, 3))
        .takes(query("gender", "Orientation of the videos.", gender, Gender::Str.as_str()))
        .takes(params::lang())
        .answers::<PromoAnswer>("Videos with absolute addresses.")
        .cache_control("public, max-age=86400, stale-while-revalidate=8640")
        .tagged()
        .for_other_sites()
        .refuses(unknown_address())
        .refuses(invalid())
}

/// Fails with 404 for an invalid number of a friend site, and with 422 for an unknown orientation or language.
pub async fn promo(
    State(sources): State<Sources>,
    segments: ApiResult<Segments>,
    query: ApiResult<Query>,
    headers: HeaderMap,
) -> Response {
    security::allow_cross_origin(answer(sources, segments, query, &headers).await)
}

async fn answer(
    Sources { cache, reader, .. }: Sources,
    segments: ApiResult<Segments>,
    query: ApiResult<Query>,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let ([file], query) = (segments?.take()?, query?);
    let site = json_name(&file)?.strip_prefix("videos.").ok_or(ApiError::NotFound("not_found"))?;
    let site = number(site, 1..=SITES)?;
    let (gender, lang) = (query.word("gender")?.unwrap_or(Gender::Str), query.lang()?);
    // The leading blank keeps the key distinct from addresses below `/api/json/`.
    let key = format!(" promo/{site}/{gender}?{lang}");
    let compute = async move { load(&reader, site, gender, lang).await };
    cache.respond(&key, lifetimes::DEFAULT, headers, compute).await
}

async fn load(reader: &Reader, site: u32, gender: Gender, lang: Lang) -> ApiResult<PromoAnswer> {
    let wanted = reader.config.listing.friend_promo as usize;
    let query = VideoQuery {
        sort: &["viewed_month:desc", "id:desc"],
        limit: wanted * POOL_FACTOR,
        counts: &[],
        ..VideoQuery::new(Filter::eq("gender", gender.as_str()))
    };
    let mut found: Found<VideoDoc> = index::find(reader, query).await?;
    let day = reader.now() / DAY;
    found.hits.sort_by_cached_key(|video| lot(day, format!("{site}/{}", video.id).as_bytes()));
    found.hits.truncate(wanted);
    let here = reader.config.public_url();
    Ok(PromoAnswer { videos: found.hits.iter().map(|video| Promo::new(video, &here, lang)).collect() })
}

impl Promo {
    fn new(video: &VideoDoc, here: &str, lang: Lang) -> Self {
        let pictures = index::clip_pictures(video.media_key.as_deref(), video.shot);
        Self {
            video_id: video.id,
            title: display(&video.title, &video.titles, lang).to_owned(),
            url: format!("{here}/videos/{}/{}/", video.id, video.dir),
            thumb: if pictures.thumb.is_empty() { String::new() } else { format!("{here}{}", pictures.thumb) },
            duration: duration_text(video.duration),
        }
    }
}
