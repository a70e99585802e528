//! `act=mute`: mutes and unmutes categories, models, members and watched videos.

use lantern_accounts::viewer::Member;
use lantern_catalog::mutes::{self, MuteTarget, Muting};
use lantern_config::{Config, Section};
use lantern_errors::{ApiError, ApiResult};
use lantern_listing::is_dir;
use serde::Deserialize;
use sqlx::PgPool;

use crate::action::{
    ActAnswer,
    form::{ObjectType, StatForm, required},
    not_found,
};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum MuteChange {
    Add,
    Rem,
    Watched,
    Unwatched,
    Clear,
}

/// Muting the same object twice succeeds, because its card may still be visible elsewhere.
pub async fn mute(pool: &PgPool, config: &Config, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let change = form.section()?;
    if let MuteChange::Add = change {
        return add(pool, config, member, form).await;
    }
    let mut conn = pool.acquire().await?;
    match change {
        MuteChange::Watched => mutes::mute_watched(&mut conn, member.id, true).await?,
        MuteChange::Unwatched => mutes::mute_watched(&mut conn, member.id, false).await?,
        MuteChange::Clear => mutes::clear(&mut conn, member.id).await?,
        MuteChange::Add | MuteChange::Rem => mutes::remove(&mut conn, member.id, &muted(form)?).await?,
    }
    Ok(ActAnswer::done())
}

async fn add(pool: &PgPool, config: &Config, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let muted = muted(form)?;
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

fn muted(form: &StatForm) -> ApiResult<MuteTarget> {
    let dir = || {
        let dir = required("dir", form.dir.as_deref())?;
        if is_dir(dir) { Ok(dir.to_owned()) } else { Err(ApiError::invalid("dir")) }
    };
    match required("object_type", form.object_type)? {
        ObjectType::Category => Ok(MuteTarget::Category(dir()?)),
        ObjectType::Model => Ok(MuteTarget::Model(dir()?)),
        ObjectType::User => Ok(MuteTarget::Member(form.object()?)),
        ObjectType::Channel => Err(ApiError::invalid("object_type")),
    }
}
