//! `act=friend`: `section=add|accept|rem`, `object_id` is a member.

use lantern_catalog::actions::friends::{self, AskOutcome};
use sqlx::PgPool;

use crate::{
    action::{Acted, blocked, form::StatForm},
    http::{ApiError, ApiResult, Member},
};

pub async fn friend(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let (step, other) = (form.section::<String>()?, form.object()?);
    match step.as_str() {
        "add" => asked(friends::add(pool, member.id, other).await?),
        "accept" => {
            if friends::accept(pool, member.id, other).await? {
                asked(AskOutcome::Accepted)
            } else {
                Err(ApiError::NotFound("friend_not_found"))
            }
        }
        "rem" => {
            friends::remove(pool, member.id, other).await?;
            Ok(Acted::done())
        }
        _ => Err(ApiError::invalid("section")),
    }
}

fn asked(asked: AskOutcome) -> ApiResult<Acted> {
    match asked {
        AskOutcome::Requested => Ok(Acted { friend: Some("requested"), ..Acted::done() }),
        AskOutcome::Accepted => Ok(Acted { friend: Some("accepted"), ..Acted::done() }),
        AskOutcome::Already => Err(ApiError::Conflict("add_friend_already_added")),
        AskOutcome::Myself => Err(ApiError::Conflict("add_friend_cant_add_myself")),
        AskOutcome::Missing => Err(ApiError::NotFound("member_not_found")),
        AskOutcome::Blocked => Err(blocked()),
    }
}
