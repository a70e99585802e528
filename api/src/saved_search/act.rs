//! `act=saved_search`: lists that a member saves to see what is new in them.

use lantern_accounts::{session::now, viewer::Member};
use lantern_catalog::actions::saved_searches::{self, SaveOutcome, ToSave, Which};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::TermList;
use serde::Deserialize;
use time::OffsetDateTime;

use crate::{
    action::{
        ActAnswer, Acts,
        form::{StatForm, required},
        ok_or_not_found,
    },
    page::SavedList,
    text::{TextBounds, checked},
};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedChange {
    Add,
    Upd,
    Rem,
    Seen,
}

const MISSING: &str = "saved_search_not_found";

pub async fn saved_search(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    match form.section()? {
        SavedChange::Add => save(acts, member, form).await,
        SavedChange::Upd => {
            let (which, name) = (which(&acts.config, form)?, name(&acts.config, &acts.prohibited, form)?);
            ok_or_not_found(saved_searches::rename(&acts.pool, member.id, &which, &name).await?, MISSING)
        }
        SavedChange::Seen => {
            let (which, now) = (which(&acts.config, form)?, now((acts.now)())?);
            ok_or_not_found(saved_searches::seen(&acts.pool, member.id, &which, now).await?, MISSING)
        }
        SavedChange::Rem => {
            saved_searches::remove(&acts.pool, member.id, &which(&acts.config, form)?).await?;
            Ok(ActAnswer::done())
        }
    }
}

async fn save(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let name = name(&acts.config, &acts.prohibited, form)?;
    let address = address(&acts.config, required("address", form.address.as_deref())?)?;
    // The list of saved searches and their feeds display the query.
    let query = address.split_once('?').map_or("", |(_, query)| query);
    if form_urlencoded::parse(query.as_bytes()).any(|(_, value)| acts.prohibited.found_in(&value)) {
        return Err(ApiError::Field { field: "address", code: "prohibited_terms", bound: None });
    }
    // Undoing a removal sends the time of the last visit. A time in the future is capped at now.
    let now = now((acts.now)())?;
    let seen_at = form.seen_at.and_then(|second| OffsetDateTime::from_unix_timestamp(second.into()).ok());
    let seen_at = seen_at.map_or(now, |second| second.min(now));
    let list = ToSave { name: &name, address: &address, seen_at };
    match saved_searches::save(&acts.pool, member.id, list, acts.config.member_area.saved_searches).await? {
        SaveOutcome::As(id) => Ok(ActAnswer { saved_id: Some(id), ..ActAnswer::done() }),
        SaveOutcome::TooMany => Err(ApiError::Conflict("too_many_saved_searches")),
        SaveOutcome::Missing => Err(ApiError::NeedAuth),
    }
}

/// Identifies the saved search by its address if this was sent (clients know it before the id), otherwise by its id.
fn which(config: &Config, form: &StatForm) -> ApiResult<Which> {
    match &form.address {
        Some(sent) => Ok(Which::Address(address(config, sent)?)),
        None => Ok(Which::Id(form.object()?)),
    }
}

/// Returns the address in its canonical form.
fn address(config: &Config, sent: &str) -> ApiResult<String> {
    Ok(SavedList::parse(sent, config).ok_or(ApiError::invalid("address"))?.address())
}

fn name(config: &Config, prohibited: &TermList, form: &StatForm) -> ApiResult<String> {
    let max = config.member_area.saved_name_max;
    let bounds = TextBounds { field: "title", min: 1, min_code: "min_length", max, one_line: true };
    checked(form.title.as_deref(), bounds, prohibited)
}
