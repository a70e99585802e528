//! `act=vote`: `section`, `object_id`, `vote=1|-1|0`. A vote can't be changed; 0 takes it back.

use lantern_catalog::actions::votes::{self, Voted, Voter};
use lantern_config::Section;
use lantern_ratelimit::{Action, Key};
use time::OffsetDateTime;

use super::{
    Acted,
    form::{StatForm, Vote, required},
    not_found,
};
use crate::{
    http::{ApiError, ApiResult, Client, Member},
    state::AppState,
};

pub async fn vote(state: &AppState, member: Option<&Member>, client: &Client, form: &StatForm) -> ApiResult<Acted> {
    let (section, object) = (form.section()?, form.object()?);
    if section == Section::Channel {
        return Err(ApiError::invalid("section"));
    }
    let vote = required("vote", form.vote)?;
    let today = OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)?.date();
    let guest = state.visitors.guest_voter(&client.key, today);
    let (voter, action, key) = match member {
        Some(member) => (Voter::Member(member.id), Action::Act, Key::member(member.id)),
        None => (Voter::Guest(&guest), Action::GuestVote, Key::client(&client.key)),
    };
    state.limits.take(action, &key).await?;
    let (voted, code) = match vote {
        Vote::Withdrawn => (votes::withdraw(&state.pool, voter, section, object, today).await?, None),
        Vote::Up | Vote::Down => {
            let up = vote == Vote::Up;
            (votes::vote(&state.pool, voter, section, object, up, today).await?, Some("vote_success"))
        }
    };
    match voted {
        Voted::Counted { likes, dislikes } => {
            Ok(Acted { code, likes: Some(likes), dislikes: Some(dislikes), ..Acted::done() })
        }
        Voted::Already => Err(ApiError::Conflict("vote_already_voted")),
        Voted::Missing => Err(not_found(section)),
    }
}
