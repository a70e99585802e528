//! `act=subscribe`: `section=add|rem`, `object_type=model|channel|user`, `object_id`.

use lantern_catalog::actions::{
    Added,
    subscriptions::{self, Subscribed},
};
use sqlx::PgPool;

use crate::{
    action::{
        Acted,
        form::{StatForm, Toggle, required},
        not_found,
    },
    http::{ApiError, ApiResult, Member},
};

pub async fn subscribe(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let toggle = form.section()?;
    let section = required("object_type", form.object_type)?.followed()?;
    let object = form.object()?;
    match toggle {
        Toggle::Add => match subscriptions::add(pool, member.id, section, object).await? {
            Subscribed::Myself => Err(ApiError::Conflict("subscribe_cant_subscribe_myself")),
            Subscribed::Added(Added::New) => Ok(Acted::done()),
            Subscribed::Added(Added::Already) => Err(ApiError::Conflict("subscribe_already_added")),
            Subscribed::Added(Added::Missing) => Err(not_found(section)),
        },
        Toggle::Rem => {
            subscriptions::remove(pool, member.id, section, object).await?;
            Ok(Acted::done())
        }
    }
}
