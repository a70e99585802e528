//! `act=friend`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::friends::{self, AskOutcome};
use lantern_errors::{ApiError, ApiResult};
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::action::{ActAnswer, blocked, form::Id};

/// Changes the friendship with another member.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct Friendship {
    section: Step,
    object_id: Id,
}

/// Sends a request, accepts one, or ends the friendship or the request.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Step {
    Add,
    Accept,
    Rem,
}

pub async fn friend(
    pool: &PgPool,
    member: &Member,
    Friendship { section, object_id }: Friendship,
) -> ApiResult<ActAnswer> {
    let other = object_id.into();
    match section {
        Step::Add => answer(friends::add(pool, member.id, other).await?),
        Step::Accept => {
            if friends::accept(pool, member.id, other).await? {
                answer(AskOutcome::Accepted)
            } else {
                Err(ApiError::NotFound("friend_not_found"))
            }
        }
        Step::Rem => {
            friends::remove(pool, member.id, other).await?;
            Ok(ActAnswer::done())
        }
    }
}

fn answer(outcome: AskOutcome) -> ApiResult<ActAnswer> {
    match outcome {
        AskOutcome::Requested => Ok(ActAnswer { friend: Some("requested"), ..ActAnswer::done() }),
        AskOutcome::Accepted => Ok(ActAnswer { friend: Some("accepted"), ..ActAnswer::done() }),
        AskOutcome::Already => Err(ApiError::Conflict("add_friend_already_added")),
        AskOutcome::Myself => Err(ApiError::Conflict("add_friend_cant_add_myself")),
        AskOutcome::Missing => Err(ApiError::NotFound("member_not_found")),
        AskOutcome::Blocked => Err(blocked()),
    }
}
