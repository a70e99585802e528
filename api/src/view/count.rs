//! `act=view`, sent one second after an object was opened.

use axum::http::{HeaderMap, header};
use lantern_accounts::viewer::Member;
use lantern_catalog::views;
use lantern_config::{Section, labels};
use lantern_errors::ApiResult;
use lantern_http::{Client, crawlers::Crawlers};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    access,
    action::{ActAnswer, form::Id, not_found},
    state::{AppState, Shared},
    views::queue::{SeenBy, Views},
};

/// Counts a view within a second, once per viewer and object in half an hour. Bots are not counted.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct View {
    section: Section,
    object_id: Id,
    /// 1 excludes the view from country charts.
    nogeo: Option<bool>,
}

pub async fn view(
    state: &AppState,
    member: Option<&Member>,
    client: &Client,
    headers: &HeaderMap,
    View { section, object_id, nogeo }: View,
) -> ApiResult<ActAnswer> {
    let Shared { limits, views, visitors, crawlers, .. } = &**state;
    let id = object_id.into();
    let member = member.map(|member| member.id);
    if views.seen_by(section, id, member).await? == SeenBy::Others {
        access::count(limits, crawlers, member, client, headers).await?;
        // Members may watch private videos. The response is the same for missing videos, so that ids can't be probed.
        if member.is_none() || section != Section::Video {
            return Err(not_found(section));
        }
    }
    if is_machine(crawlers, views, client, headers).await {
        return Ok(ActAnswer::done());
    }
    let country = (!nogeo.unwrap_or_default() && labels::is_country(&client.country)).then(|| client.country.clone());
    let at = views.now()?;
    let viewer = visitors.viewer(member, &client.key);
    views.record(views::View { section, id, viewer, member, country, at }).await?;
    Ok(ActAnswer::done())
}

/// Whether the client is a machine. Machines may view everything, but their views don't count.
pub async fn is_machine(crawlers: &Crawlers, views: &Views, client: &Client, headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    views.is_bot(agent) || crawlers.verified(agent, client.address).await
}
