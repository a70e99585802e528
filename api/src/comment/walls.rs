//! Comments on models, addressed by the model's name, and entries on members' walls, addressed by the member's id.
//!
//! Examples: `/api/json/model_wall/86400/mi/mika-sato.1.json`, `/api/json/member_wall/7200/0/7.1.json?thread=12`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{community, members, threads::Place};
use lantern_config::{CommentSection, Config, Section, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::CachedAnswer,
    cost,
    openapi::{Doc, invalid, refusal},
};
use lantern_listing::{MemberPath, json_name, lifetime_of, page_of, prefix, prefixed_dir};
use sqlx::PgPool;

use super::{
    item::CommentsAnswer,
    list,
    part::{NO_REPLIES, ThreadPart, current, live, parts, read},
};
use crate::{access::Requester, member::NO_MEMBER, params, sources::Sources};

pub(crate) fn model_wall_doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "model_wall",
        "/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json",
        "Comments on a model, by the model's name",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes_all(params::prefixed_dir("nguyen-thu-ha"))
    .takes(params::page())
    .takes_all(parts())
    .answers::<CommentsAnswer>("A page of comments.")
    .cached()
    .refuses(refusal(
        404,
        &[("model_not_found", "no such model, or a prefix that does not match the name"), NO_REPLIES],
    ))
    .refuses(invalid())
}

/// Returns the comments on a model, which is given by its name.
pub(crate) async fn model_wall(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, prefix, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::COMMENTS)?;
    let (dir, page) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("model_not_found"))?;
    let dir = prefixed_dir(&prefix, dir, "model_not_found")?;
    let part = ThreadPart::of(&query, page_of(page)?)?;
    match lifetime {
        0 => {
            let reader = requester.member().await?;
            Ok(current(cost::paid(of_model(&sources.pool, &sources.config, &dir, part, reader)).await?))
        }
        _ => get_of_model(&sources, lifetime, &dir, part).await?.respond(&headers),
    }
}

/// Returns a page of the comments on a model.
pub async fn get_of_model(
    sources: &Sources,
    lifetime: u32,
    dir: &str,
    part: ThreadPart,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let key = format!("model_wall/{lifetime}/{}/{dir}.{}{}", prefix(dir), part.page, part.key());
    let (Sources { cache, pool, reader, .. }, dir) = (sources.clone(), dir.to_owned());
    cache.get(&key, lifetime, async move { of_model(&pool, &reader.config, &dir, part, None).await }).await
}

async fn of_model(
    pool: &PgPool,
    config: &Config,
    dir: &str,
    part: ThreadPart,
    reader: Option<i64>,
) -> ApiResult<CommentsAnswer> {
    let id = community::model_id(pool, dir).await?.ok_or(ApiError::NotFound("model_not_found"))?;
    let at = Place { section: Section::Model, object: id, reader };
    list::of_object(config, pool, CommentSection::Model, at, (part, false)).await
}

pub(crate) fn member_wall_doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "member_wall",
        "/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json",
        "A member's wall",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
    .takes_all(parts())
    .answers::<CommentsAnswer>("A page of wall entries.")
    .cached()
    .refuses(refusal(404, &[NO_MEMBER, NO_REPLIES]))
    .refuses(invalid())
}

/// Returns the entries on a member's wall.
pub(crate) async fn member_wall(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = MemberPath::parse(segments.take()?, lifetimes::COMMENTS)?;
    let part = ThreadPart::of(&query, path.page)?;
    match path.lifetime {
        0 => {
            let reader = requester.member().await?;
            Ok(current(cost::paid(of_member(&sources.pool, &sources.config, path, part, reader)).await?))
        }
        _ => get_of_member(&sources, path, part).await?.respond(&headers),
    }
}

/// Returns a page of a member's wall.
pub async fn get_of_member(
    sources: &Sources,
    path: MemberPath,
    part: ThreadPart,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { of_member(&pool, &reader.config, path, part, None).await };
    let key = format!("{}{}", path.canonical("member_wall"), part.key());
    cache.get(&key, path.lifetime, compute).await
}

async fn of_member(
    pool: &PgPool,
    config: &Config,
    path: MemberPath,
    part: ThreadPart,
    reader: Option<i64>,
) -> ApiResult<CommentsAnswer> {
    if !members::exists(pool, path.member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let at = Place { section: Section::User, object: path.member, reader };
    read(config, pool, at, part).await
}
