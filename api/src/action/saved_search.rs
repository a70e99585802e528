//! `act=saved_search`: lists that a member saved, to see what is new in them.

use std::str::FromStr;

use lantern_catalog::actions::saved_searches::{self, Kept, ToSave};
use time::OffsetDateTime;

use super::{
    Acted,
    form::{StatForm, required},
};
use crate::{
    http::{
        error::{ApiError, ApiResult},
        extract::Member,
    },
    page::SavedList,
    state::AppState,
    text::written::{TextBounds, checked},
};

enum SavedChange {
    Add,
    Upd,
    Rem,
    Seen,
}

impl FromStr for SavedChange {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "add" => Ok(Self::Add),
            "upd" => Ok(Self::Upd),
            "rem" => Ok(Self::Rem),
            "seen" => Ok(Self::Seen),
            _ => Err(()),
        }
    }
}

pub async fn saved_search(state: &AppState, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    match form.section()? {
        SavedChange::Add => save(state, member, form).await,
        SavedChange::Upd => {
            let (id, name) = (form.object()?, name(state, form)?);
            there_was(saved_searches::rename(&state.pool, member.id, id, &name).await?)
        }
        SavedChange::Seen => {
            there_was(saved_searches::seen(&state.pool, member.id, form.object()?, now(state)?).await?)
        }
        SavedChange::Rem => {
            saved_searches::remove(&state.pool, member.id, form.object()?).await?;
            Ok(Acted::done())
        }
    }
}

async fn save(state: &AppState, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let name = name(state, form)?;
    let address = required("address", form.address.as_deref())?;
    let address = SavedList::parse(address, &state.config).ok_or(ApiError::invalid("address"))?.address();
    // Who brings back what they removed says when they had looked; nobody looks in the future.
    let now = now(state)?;
    let seen_at = form.seen_at.and_then(|second| OffsetDateTime::from_unix_timestamp(second.into()).ok());
    let seen_at = seen_at.map_or(now, |second| second.min(now));
    let list = ToSave { name: &name, address: &address, seen_at };
    match saved_searches::save(&state.pool, member.id, list, state.config.member_area.saved_searches).await? {
        Kept::As(id) => Ok(Acted { saved_id: Some(id), ..Acted::done() }),
        Kept::TooMany => Err(ApiError::Conflict("too_many_saved_searches")),
        Kept::Missing => Err(ApiError::NeedAuth),
    }
}

fn name(state: &AppState, form: &StatForm) -> ApiResult<String> {
    let max = state.config.member_area.saved_name_max;
    let bounds = TextBounds { field: "title", min: 1, min_code: "min_length", max, one_line: true };
    checked(form.title.as_deref(), bounds, &state.prohibited)
}

fn now(state: &AppState) -> ApiResult<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)
}

fn there_was(saved: bool) -> ApiResult<Acted> {
    if saved { Ok(Acted::done()) } else { Err(ApiError::NotFound("saved_search_not_found")) }
}
