//! `act=subscribe`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::{
    AddOutcome,
    subscriptions::{self, SubscriptionOutcome},
};
use lantern_config::Section;
use lantern_errors::{ApiError, ApiResult};
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::action::{
    ActAnswer,
    form::{Id, Toggle},
    not_found,
};

/// Follows an object or stops following it.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct Subscription {
    section: Toggle,
    object_type: Followed,
    object_id: Id,
}

/// Kind of object to follow.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Followed {
    Model,
    Channel,
    User,
}

pub async fn subscribe(pool: &PgPool, member: &Member, form: Subscription) -> ApiResult<ActAnswer> {
    let section = match form.object_type {
        Followed::Model => Section::Model,
        Followed::Channel => Section::Channel,
        Followed::User => Section::User,
    };
    let object = form.object_id.into();
    match form.section {
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
