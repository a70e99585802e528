//! `act=friend`: `section=add|accept|rem`, where `object_id` is a member.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::friends::{self, AskOutcome};
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;

use crate::action::{ActAnswer, blocked, form::StatForm};

pub async fn friend(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let (step, other) = (form.section::<String>()?, form.object()?);
    match step.as_str() {
        "add" => answer(friends::add(pool, member.id, other).await?),
        "accept" => {
            if friends::accept(pool, member.id, other).await? {
                answer(AskOutcome::Accepted)
            } else {
                Err(ApiError::NotFound("friend_not_found"))
            }
        }
        "rem" => {
            friends::remove(pool, member.id, other).await?;
            Ok(ActAnswer::done())
        }
        _ => Err(ApiError::invalid("section")),
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
