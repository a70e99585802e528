//! `act=block`: blocks and unblocks members.

use lantern_accounts::viewer::Member;
use lantern_catalog::blocks;
use lantern_config::Section;
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;

use super::{
    ActAnswer,
    form::{Toggle, ToggleObject},
    not_found,
};

pub async fn block(pool: &PgPool, member: &Member, form: ToggleObject) -> ApiResult<ActAnswer> {
    let other = form.object_id.into();
    if other == member.id {
        return Err(ApiError::invalid("object_id"));
    }
    let mut conn = pool.acquire().await?;
    match form.section {
        Toggle::Add if blocks::add(&mut conn, member.id, other).await? => {}
        Toggle::Add => return Err(not_found(Section::User)),
        Toggle::Rem => blocks::remove(&mut conn, member.id, other).await?,
    }
    Ok(ActAnswer::done())
}
