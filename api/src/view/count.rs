//! `act=view`: `section`, `object_id` and `nogeo=1`, sent one second after an object was opened.

use axum::http::{HeaderMap, header};
use lantern_accounts::viewer::Member;
use lantern_catalog::views::View;
use lantern_config::{Section, labels};
use lantern_errors::ApiResult;
use lantern_http::{Client, crawlers::Crawlers};

use crate::{
    access,
    action::{ActAnswer, form::StatForm, not_found},
    state::{AppState, Shared},
    views::queue::{SeenBy, Views},
};

pub async fn view(
    state: &AppState,
    member: Option<&Member>,
    client: &Client,
    headers: &HeaderMap,
    form: &StatForm,
) -> ApiResult<ActAnswer> {
    let Shared { limits, views, visitors, crawlers, .. } = &**state;
    let (section, id) = (form.section()?, form.object()?);
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
    let country =
        (!form.nogeo.unwrap_or_default() && labels::is_country(&client.country)).then(|| client.country.clone());
    let at = views.now()?;
    let viewer = visitors.viewer(member, &client.key);
    views.record(View { section, id, viewer, member, country, at }).await?;
    Ok(ActAnswer::done())
}

/// Whether the client is a machine. Machines may view everything, but their views don't count.
pub async fn is_machine(crawlers: &Crawlers, views: &Views, client: &Client, headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    views.is_bot(agent) || crawlers.verified(agent, client.address).await
}
