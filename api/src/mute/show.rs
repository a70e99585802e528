//! `GET /api/mutes.php`: a member's mutes. `GET /api/watched.php`: how much of recent videos the member has watched.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_accounts::viewer::Member;
use lantern_catalog::{history, mutes};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{
    Query,
    openapi::{Doc, invalid},
    private,
};
use lantern_search::index::Ref;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{params, state::AppState};

/// A member's mutes. Each list starts with the latest.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MutesAnswer {
    /// Whether lists exclude the videos in the history.
    #[schema(example = false)]
    watched: bool,
    /// Categories.
    categories: Vec<Ref>,
    /// Models.
    models: Vec<Ref>,
    /// Members.
    members: Vec<MutedMember>,
}

/// A member whose videos are muted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MutedMember {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    username: String,
}

/// Recently watched videos, latest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchedAnswer {
    /// Videos.
    videos: Vec<WatchedVideo>,
}

/// How far a video was watched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatchedVideo {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    video_id: i64,
    /// Playback position in per cent.
    #[schema(example = 40, minimum = 0, maximum = 100)]
    percent: i32,
}

pub fn mutes_doc(_: &Config) -> Doc {
    Doc::new("member", "mutes", "/api/mutes.php", "The member's mutes")
        .about("Lists exclude them when requested through `/api/unmuted.php`.")
        .for_members()
        .takes(params::lang())
        .answers::<MutesAnswer>("All mutes.")
        .refuses(invalid())
}

pub async fn mutes(State(state): State<AppState>, member: Member, query: Query) -> ApiResult<Response> {
    let lang = query.lang()?;
    let muted = mutes::list(&state.pool, member.id).await?;
    let reader = &state.reader;
    let names = reader.categories.current().await?;
    let models = reader.model_names.of(&muted.models, lang, reader.now()).await?;
    let category = |dir: String| Ref { title: names.title(&dir, lang).to_owned(), dir };
    Ok(private::answer(MutesAnswer {
        watched: muted.watched,
        categories: muted.categories.into_iter().map(category).collect(),
        models: models.into_iter().map(|model| model.of).collect(),
        members: muted
            .members
            .into_iter()
            .map(|member| MutedMember { user_id: member.id, username: member.username })
            .collect(),
    }))
}

pub fn watched_doc(config: &Config) -> Doc {
    Doc::new("member", "watched", "/api/watched.php", "How far videos were watched")
        .about(format!("For the last {} videos of the history.", config.mutes.watched))
        .for_members()
        .answers::<WatchedAnswer>("The videos, latest first.")
}

pub async fn watched(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    member: Member,
) -> ApiResult<Response> {
    let progress = history::progress(&pool, member.id, config.mutes.watched.into()).await?;
    let videos = progress.into_iter().map(|of| WatchedVideo { video_id: of.video_id, percent: of.percent });
    Ok(private::answer(WatchedAnswer { videos: videos.collect() }))
}
