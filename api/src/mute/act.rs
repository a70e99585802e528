//! `act=mute`: mutes and unmutes categories, models, members and watched videos.

use lantern_accounts::viewer::Member;
use lantern_catalog::mutes::{self, MuteTarget, Muting};
use lantern_config::{Config, Section};
use lantern_errors::{ApiError, ApiResult};
use lantern_listing::is_dir;
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::action::{ActAnswer, form::Id, not_found};

#[derive(Deserialize, ToSchema)]
#[serde(rename = "section", rename_all = "snake_case")]
#[schema(title = "section")]
pub enum MuteChange {
    /// Excludes an object from the member's lists.
    Add(Muted),
    /// Includes an object again.
    Rem(Muted),
    /// Excludes videos in the history.
    Watched,
    /// Includes videos in the history again.
    Unwatched,
    /// Removes all mutes.
    Clear,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename = "object_type", rename_all = "snake_case")]
#[schema(title = "object_type")]
pub enum Muted {
    Category {
        /// Name of the category in URLs.
        dir: String,
    },
    Model {
        /// Name of the model in URLs.
        dir: String,
    },
    User {
        object_id: Id,
    },
}

impl Muted {
    fn target(self) -> ApiResult<MuteTarget> {
        let checked = |dir: String| if is_dir(&dir) { Ok(dir) } else { Err(ApiError::invalid("dir")) };
        Ok(match self {
            Self::Category { dir } => MuteTarget::Category(checked(dir)?),
            Self::Model { dir } => MuteTarget::Model(checked(dir)?),
            Self::User { object_id } => MuteTarget::Member(object_id.into()),
        })
    }
}

/// Muting the same object twice succeeds, because its card may still be visible elsewhere.
pub async fn mute(pool: &PgPool, config: &Config, member: &Member, change: MuteChange) -> ApiResult<ActAnswer> {
    match change {
        MuteChange::Add(muted) => return add(pool, config, member, muted.target()?).await,
        MuteChange::Rem(muted) => {
            mutes::remove(&mut *pool.acquire().await?, member.id, &muted.target()?).await?;
        }
        MuteChange::Watched => mutes::mute_watched(&mut *pool.acquire().await?, member.id, true).await?,
        MuteChange::Unwatched => mutes::mute_watched(&mut *pool.acquire().await?, member.id, false).await?,
        MuteChange::Clear => mutes::clear(&mut *pool.acquire().await?, member.id).await?,
    }
    Ok(ActAnswer::done())
}

async fn add(pool: &PgPool, config: &Config, member: &Member, muted: MuteTarget) -> ApiResult<ActAnswer> {
    match mutes::add(pool, member.id, &muted, config.mutes.per_kind.into()).await? {
        Muting::Done => Ok(ActAnswer::done()),
        Muting::TooMany => Err(ApiError::Conflict("too_many_mutes")),
        Muting::Missing => Err(match muted {
            MuteTarget::Category(_) => ApiError::NotFound("category_not_found"),
            MuteTarget::Model(_) => not_found(Section::Model),
            MuteTarget::Member(_) => not_found(Section::User),
        }),
    }
}
