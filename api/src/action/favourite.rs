//! `act=favourite` and `act=watch_later`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::lists;
use lantern_errors::ApiResult;
use sqlx::PgPool;

use super::{
    ActAnswer, answer_added,
    form::{Toggle, ToggleObject},
};

pub async fn favourite(pool: &PgPool, member: &Member, form: ToggleObject) -> ApiResult<ActAnswer> {
    let video = form.object_id.into();
    match form.section {
        Toggle::Add => {
            let added = lists::add_favourite(pool, member.id, video).await?;
            answer_added(added, "favorites_already_added", "video_not_found")
        }
        Toggle::Rem => {
            lists::remove_favourite(pool, member.id, video).await?;
            Ok(ActAnswer::done())
        }
    }
}

pub async fn watch_later(pool: &PgPool, member: &Member, form: ToggleObject) -> ApiResult<ActAnswer> {
    let video = form.object_id.into();
    match form.section {
        Toggle::Add => {
            let added = lists::add_watch_later(pool, member.id, video).await?;
            answer_added(added, "watch_later_already_added", "video_not_found")
        }
        Toggle::Rem => {
            lists::remove_watch_later(pool, member.id, video).await?;
            Ok(ActAnswer::done())
        }
    }
}
