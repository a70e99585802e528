//! `GET /api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json`: videos related to a
//! video.
//!
//! Candidates share a model, a category or words in the title. They are ranked by how much they share, then by language and views.

use std::collections::{HashMap, HashSet};

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, Lang, VideoType, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid, refusal, segment},
};
use lantern_index::{Filter, text};
use lantern_listing::{FacetValue, ObjectPath, bucketed_id, json_name, lifetime_of, number, page_of, word};
use lantern_search::{
    exclusions::{Exclusions, ListBounds},
    index::{Reader, VideoCard, VideoDoc, VideoQuery, find},
    shows,
};
use meilisearch_sdk::search::MatchingStrategies;
use serde::Serialize;
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{params, sources::Sources};

/// Number of candidates taken from each source.
const CANDIDATES: usize = 200;
/// Weights of a shared model, a shared category and a title match.
const MODEL: f64 = 6.0;
const CATEGORY: f64 = 2.0;
const WORDS: f64 = 4.0;
/// Weight of a title in the visitor's language: as much as 20 times the views.
const OWN_LANGUAGE: f64 = 0.3;

/// Related videos.
#[derive(Debug, Serialize, ToSchema)]
pub struct RelatedAnswer {
    /// The video that the others are related to. Once it is hidden, it has no related videos.
    #[serde(skip)]
    subject: Object,
    /// Videos.
    pub videos: Vec<VideoCard>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    totals: Totals,
}

impl Shows for RelatedAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push(self.subject);
        objects.push((Entity::Video, LIST));
        shows::videos(&self.videos, objects);
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    let counts = json!({ "type": "integer", "enum": config.listing.related_counts });
    Doc::read(
        "lists",
        "videos_related2",
        "/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json",
        "Related videos",
    )
    .about(
        "By shared models, categories and words of the title; never the video itself. Limited to the \
         closest: at most 200 each that share a model, a category or words. A private or deleted video has none.",
    )
    .takes(params::lifetime(lifetimes::RELATED_LISTS))
    .takes(segment("count", "Items per page.", counts, config.listing.related_counts[0]))
    .takes_all([params::bucket(), params::id("video_id", 1), params::kind(), params::page(), params::lang()])
    .answers::<RelatedAnswer>("A page of videos.")
    .cache_control("public, max-age=432000, stale-while-revalidate=43200")
    .tagged()
    .refuses(refusal(404, &[("video_not_found", "no such video, or in another bucket")]))
    .refuses(invalid())
}

pub(crate) async fn related(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let (path, page) = read(segments, &sources.config)?;
    get(&sources, path, page, query.lang()?).await?.respond(&headers)
}

/// Type filter, page and page size.
type RelatedPart = (VideoType, u32, u32);

/// Parses the segments of the address.
pub(crate) fn read(segments: Segments, config: &Config) -> ApiResult<(ObjectPath, RelatedPart)> {
    let [lifetime, count, bucket, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::RELATED_LISTS)?;
    let count = number(&count, 1..=config.listing.max_page_size)?;
    if !config.listing.related_counts.contains(&count) {
        return Err(ApiError::NotFound("not_found"));
    }
    let mut parts = json_name(&file)?.split('.');
    let (Some(id), Some(kind), Some(page), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return Err(ApiError::NotFound("not_found"));
    };
    let id = bucketed_id(&bucket, id, "video_not_found")?;
    let kind: VideoType = word(if kind.is_empty() { "all" } else { kind })?;
    Ok((ObjectPath { lifetime, id }, (kind, page_of(page)?, count)))
}

/// Returns a page of related videos.
pub async fn get(
    sources: &Sources,
    path: ObjectPath,
    (kind, page, count): RelatedPart,
    lang: Lang,
) -> ApiResult<CachedAnswer<RelatedAnswer>> {
    let ObjectPath { lifetime, id } = path;
    let key = format!("videos_related2/{lifetime}/{count}/{}/{id}.{kind}.{page}?{lang}", path.bucket());
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { list(&pool, &reader, id, (kind, page, count), lang, &ListBounds::everything()).await };
    cache.get(&key, lifetime, compute).await
}

/// Returns a page of related videos without what the viewer has muted.
pub(crate) async fn without(
    pool: &PgPool,
    reader: &Reader,
    path: ObjectPath,
    part: RelatedPart,
    lang: Lang,
    exclusions: Exclusions,
) -> ApiResult<RelatedAnswer> {
    list(pool, reader, path.id, part, lang, &exclusions.allowed()).await
}

async fn list(
    pool: &PgPool,
    reader: &Reader,
    id: i64,
    (kind, page, count): RelatedPart,
    lang: Lang,
    allowed: &ListBounds,
) -> ApiResult<RelatedAnswer> {
    let (page, count) = (page as usize - 1, count as usize);
    let ranked = match subject(reader, id).await? {
        Some(subject) => rank(candidates(reader, id, &subject, kind, allowed).await?, &subject, lang),
        None => not_listed(pool, id).await?,
    };
    let names = reader.categories.current().await?;
    let total_count = ranked.len();
    let videos: Vec<VideoCard> = ranked
        .into_iter()
        .skip(page.saturating_mul(count))
        .take(count)
        .map(|video| VideoCard::new(video, &names, lang))
        .collect();
    Ok(RelatedAnswer {
        subject: (Entity::Video, id),
        totals: Totals::new(total_count, count, videos.len(), "videos_not_found"),
        videos,
    })
}

async fn subject(reader: &Reader, id: i64) -> ApiResult<Option<VideoDoc>> {
    let query = VideoQuery {
        limit: 1,
        fields: &["gender", "title", "lang", "category_dirs", "model_dirs"],
        counts: &[],
        ..VideoQuery::new(Filter::eq("id", id))
    };
    Ok(find(reader, query).await?.hits.pop())
}

/// Returns no videos for a private or deleted video. Fails with 404 if it never existed.
async fn not_listed(pool: &PgPool, id: i64) -> ApiResult<Vec<VideoDoc>> {
    match lantern_catalog::videos::find(pool, id).await? {
        Some(_) => Ok(Vec::new()),
        None => Err(ApiError::NotFound("video_not_found")),
    }
}

/// A candidate and whether its title matched.
type RelatedCandidate = (VideoDoc, bool);

async fn candidates(
    reader: &Reader,
    id: i64,
    subject: &VideoDoc,
    kind: VideoType,
    allowed: &ListBounds,
) -> ApiResult<Vec<RelatedCandidate>> {
    let base = Filter::ne("id", id).and(Filter::eq("gender", &subject.gender)).and(allowed.filter());
    let base = Filter::all([base].into_iter().chain(kind.filter(false, reader.now())));
    let words = text::query(&subject.title, subject.lang.parse().unwrap_or(Lang::En));
    let (models, categories, titles) = tokio::try_join!(
        sharing(reader, base.clone(), "model_dirs", &subject.model_dirs),
        sharing(reader, base.clone(), "category_dirs", &subject.category_dirs),
        sharing_words(reader, base, &words),
    )?;
    let matched: HashSet<i64> = titles.iter().map(|video| video.id).collect();
    let mut all: HashMap<i64, RelatedCandidate> = HashMap::new();
    for video in titles.into_iter().chain(models).chain(categories) {
        let by_words = matched.contains(&video.id);
        all.entry(video.id).or_insert((video, by_words));
    }
    Ok(all.into_values().collect())
}

/// Returns the most watched videos that share a value.
async fn sharing(reader: &Reader, base: Filter, field: &str, values: &[String]) -> ApiResult<Vec<VideoDoc>> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let query = VideoQuery {
        sort: &["viewed:desc", "id:desc"],
        limit: CANDIDATES,
        counts: &[],
        ..VideoQuery::new(base.and(Filter::in_(field, values)))
    };
    Ok(find(reader, query).await?.hits)
}

/// Returns the videos whose texts share the rarer words in the title.
async fn sharing_words(reader: &Reader, base: Filter, words: &str) -> ApiResult<Vec<VideoDoc>> {
    let query = VideoQuery {
        text: Some(words),
        limit: CANDIDATES,
        strategy: MatchingStrategies::FREQUENCY,
        counts: &[],
        ..VideoQuery::new(base)
    };
    Ok(find(reader, query).await?.hits)
}

fn rank(candidates: Vec<RelatedCandidate>, subject: &VideoDoc, lang: Lang) -> Vec<VideoDoc> {
    let score = |video: &VideoDoc, by_words| {
        let is_own = video.shown_title(lang).lang == lang;
        score(video, by_words, subject) + if is_own { OWN_LANGUAGE } else { 0.0 }
    };
    let mut scored: Vec<(f64, VideoDoc)> =
        candidates.into_iter().map(|(video, by_words)| (score(&video, by_words), video)).collect();
    scored.sort_by(|(a, v), (b, w)| b.total_cmp(a).then_with(|| w.id.cmp(&v.id)));
    scored.into_iter().map(|(_, video)| video).collect()
}

fn score(video: &VideoDoc, by_words: bool, subject: &VideoDoc) -> f64 {
    let shared = |ours: &[String], theirs: &[String]| ours.iter().filter(|one| theirs.contains(one)).count() as f64;
    let models = shared(&subject.model_dirs, &video.model_dirs);
    let categories = shared(&subject.category_dirs, &video.category_dirs);
    // A video in many categories shares some with every video, so the ratio counts too.
    let breadth = video.category_dirs.len().max(1) as f64;
    MODEL * models
        + CATEGORY * categories * (0.5 + 0.5 * categories / breadth)
        + if by_words { WORDS } else { 0.0 }
        + (video.viewed.max(0) as f64).ln_1p() / 10.0
}
