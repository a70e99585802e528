//! `act=vote`. A vote cannot be changed, only withdrawn.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::votes::{self, VoteOutcome, Voter};
use lantern_config::Section;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::Client;
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{
    ActAnswer, Acts,
    form::{Id, Thumb},
    not_found,
};
use lantern_accounts::visitors::Visitors;

/// Votes once per member; guests vote once per network address and day, and can only withdraw today's vote.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct Vote {
    #[schema(schema_with = sections)]
    section: Section,
    object_id: Id,
    /// 1 likes, -1 dislikes, 0 withdraws the vote.
    vote: Thumb,
}

fn sections() -> utoipa::openapi::Schema {
    lantern_http::openapi::words("Kind of the object.", ["video", "album", "model", "playlist", "user"])
}

pub async fn vote(
    acts: &Acts,
    visitors: &Visitors,
    member: Option<&Member>,
    client: &Client,
    Vote { section, object_id, vote }: Vote,
) -> ApiResult<ActAnswer> {
    let object = object_id.into();
    if section == Section::Channel {
        return Err(ApiError::invalid("section"));
    }
    let today = OffsetDateTime::from_unix_timestamp((acts.now)()).map_err(ApiError::internal)?.date();
    let guest = visitors.guest_voter(&client.key, today);
    let (voter, action, key) = match member {
        Some(member) => (Voter::Member(member.id), Action::Act, Key::member(member.id)),
        None => (Voter::Guest(&guest), Action::GuestVote, Key::client(&client.key)),
    };
    acts.limits.take(action, &key).await?;
    let (voted, code) = match vote {
        Thumb::Withdrawn => (votes::withdraw(&acts.pool, voter, section, object, today).await?, None),
        Thumb::Up | Thumb::Down => {
            let up = vote == Thumb::Up;
            (votes::vote(&acts.pool, voter, section, object, up, today).await?, Some("vote_success"))
        }
    };
    match voted {
        VoteOutcome::Counted { likes, dislikes } => {
            Ok(ActAnswer { code, likes: Some(likes), dislikes: Some(dislikes), ..ActAnswer::done() })
        }
        VoteOutcome::Already => Err(ApiError::Conflict("vote_already_voted")),
        VoteOutcome::Missing => Err(not_found(section)),
    }
}
