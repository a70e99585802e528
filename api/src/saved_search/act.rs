//! `act=saved_search`: lists that a member saves to see what is new in them.

use lantern_accounts::{session::now, viewer::Member};
use lantern_catalog::actions::saved_searches::{self, SaveOutcome, ToSave, Which};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::TermList;
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::list::SavedList;
use crate::{
    action::{ActAnswer, Acts, form::Id, ok_or_not_found},
    text::{TextBounds, checked},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename = "section", rename_all = "snake_case")]
#[schema(title = "section")]
pub enum SavedChange {
    /// Saves a list. Saving the same list again renames it.
    Add {
        /// Name of the saved search.
        title: String,
        /// Path and query of a page of this site that lists videos, except country charts.
        address: String,
        /// Time of the last visit, Unix seconds; defaults to now.
        seen_at: Option<u32>,
    },
    /// Renames the saved search.
    Upd {
        /// Name of the saved search.
        title: String,
        /// Path and query of the saved list.
        address: Option<String>,
        /// Id of the saved search, required without `address`.
        object_id: Option<Id>,
    },
    /// Records a visit.
    Seen(OneSaved),
    /// Removes the saved search.
    Rem(OneSaved),
}

/// Names a saved search.
#[derive(Deserialize, ToSchema)]
pub struct OneSaved {
    /// Path and query of the saved list.
    address: Option<String>,
    /// Id of the saved search, required without `address`.
    object_id: Option<Id>,
}

const MISSING: &str = "saved_search_not_found";

pub async fn saved_search(acts: &Acts, member: &Member, change: SavedChange) -> ApiResult<ActAnswer> {
    match change {
        SavedChange::Add { title, address, seen_at } => save(acts, member, &title, &address, seen_at).await,
        SavedChange::Upd { title, address, object_id } => {
            let which = OneSaved { address, object_id }.which(&acts.config)?;
            let name = name(&acts.config, &acts.prohibited, &title)?;
            ok_or_not_found(saved_searches::rename(&acts.pool, member.id, &which, &name).await?, MISSING)
        }
        SavedChange::Seen(saved) => {
            let (which, now) = (saved.which(&acts.config)?, now((acts.now)())?);
            ok_or_not_found(saved_searches::seen(&acts.pool, member.id, &which, now).await?, MISSING)
        }
        SavedChange::Rem(saved) => {
            saved_searches::remove(&acts.pool, member.id, &saved.which(&acts.config)?).await?;
            Ok(ActAnswer::done())
        }
    }
}

async fn save(acts: &Acts, member: &Member, title: &str, sent: &str, seen_at: Option<u32>) -> ApiResult<ActAnswer> {
    let name = name(&acts.config, &acts.prohibited, title)?;
    let address = address(&acts.config, sent)?;
    // The list of saved searches and their feeds display the query.
    let query = address.split_once('?').map_or("", |(_, query)| query);
    if form_urlencoded::parse(query.as_bytes()).any(|(_, value)| acts.prohibited.found_in(&value)) {
        return Err(ApiError::Field { field: "address", code: "prohibited_terms", bound: None });
    }
    // Undoing a removal sends the time of the last visit. A time in the future is capped at now.
    let now = now((acts.now)())?;
    let seen_at = seen_at.and_then(|second| OffsetDateTime::from_unix_timestamp(second.into()).ok());
    let seen_at = seen_at.map_or(now, |second| second.min(now));
    let list = ToSave { name: &name, address: &address, seen_at };
    match saved_searches::save(&acts.pool, member.id, list, acts.config.member_area.saved_searches).await? {
        SaveOutcome::As(id) => Ok(ActAnswer { saved_id: Some(id), ..ActAnswer::done() }),
        SaveOutcome::TooMany => Err(ApiError::Conflict("too_many_saved_searches")),
        SaveOutcome::Missing => Err(ApiError::NeedAuth),
    }
}

impl OneSaved {
    /// Identifies the saved search by its address if this was sent (clients know it before the id), otherwise by its id.
    fn which(self, config: &Config) -> ApiResult<Which> {
        match (self.address, self.object_id) {
            (Some(sent), _) => Ok(Which::Address(address(config, &sent)?)),
            (None, Some(id)) => Ok(Which::Id(id.into())),
            (None, None) => Err(ApiError::required("object_id")),
        }
    }
}

/// Returns the address in its canonical form.
fn address(config: &Config, sent: &str) -> ApiResult<String> {
    Ok(SavedList::parse(sent, config).ok_or(ApiError::invalid("address"))?.address())
}

fn name(config: &Config, prohibited: &TermList, title: &str) -> ApiResult<String> {
    let max = config.member_area.saved_name_max;
    let bounds = TextBounds { field: "title", min: 1, min_code: "min_length", max, one_line: true };
    checked(Some(title), bounds, prohibited)
}
