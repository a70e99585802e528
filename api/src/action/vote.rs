//! `act=vote`: `section`, `object_id`, `vote=1|-1|0`. A vote cannot be changed, only withdrawn with 0.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::votes::{self, VoteOutcome, Voter};
use lantern_config::Section;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::Client;
use lantern_ratelimit::{Action, Key};
use time::OffsetDateTime;

use super::{
    ActAnswer, Acts,
    form::{StatForm, Vote, required},
    not_found,
};
use lantern_accounts::visitors::Visitors;

pub async fn vote(
    acts: &Acts,
    visitors: &Visitors,
    member: Option<&Member>,
    client: &Client,
    form: &StatForm,
) -> ApiResult<ActAnswer> {
    let (section, object) = (form.section()?, form.object()?);
    if section == Section::Channel {
        return Err(ApiError::invalid("section"));
    }
    let vote = required("vote", form.vote)?;
    let today = OffsetDateTime::from_unix_timestamp((acts.now)()).map_err(ApiError::internal)?.date();
    let guest = visitors.guest_voter(&client.key, today);
    let (voter, action, key) = match member {
        Some(member) => (Voter::Member(member.id), Action::Act, Key::member(member.id)),
        None => (Voter::Guest(&guest), Action::GuestVote, Key::client(&client.key)),
    };
    acts.limits.take(action, &key).await?;
    let (voted, code) = match vote {
        Vote::Withdrawn => (votes::withdraw(&acts.pool, voter, section, object, today).await?, None),
        Vote::Up | Vote::Down => {
            let up = vote == Vote::Up;
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
