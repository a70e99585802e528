//! `act=subscribe`: `section=add|rem`, `object_type=model|channel|user`, and `object_id`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::{
    AddOutcome,
    subscriptions::{self, SubscriptionOutcome},
};
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;

use crate::action::{
    ActAnswer,
    form::{StatForm, Toggle, required},
    not_found,
};

pub async fn subscribe(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let toggle = form.section()?;
    let section = required("object_type", form.object_type)?.followed()?;
    let object = form.object()?;
    match toggle {
        Toggle::Add => match subscriptions::add(pool, member.id, section, object).await? {
            SubscriptionOutcome::Myself => Err(ApiError::Conflict("subscribe_cant_subscribe_myself")),
            SubscriptionOutcome::Added(AddOutcome::New) => Ok(ActAnswer::done()),
            SubscriptionOutcome::Added(AddOutcome::Already) => Err(ApiError::Conflict("subscribe_already_added")),
            SubscriptionOutcome::Added(AddOutcome::Missing) => Err(not_found(section)),
        },
        Toggle::Rem => {
            subscriptions::remove(pool, member.id, section, object).await?;
            Ok(ActAnswer::done())
        }
    }
}
