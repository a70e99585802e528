//! `POST /api/pageview.php`: counts that a page, or another results page of the same list, was opened. It stores sums
//! by day, campaign and screen, but nothing about the visitor, their origin, or the page itself.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{
    Client, Form,
    host::origin,
    openapi::{Doc, field, one_of, refusal, too_often},
};
use lantern_listing::pages::{Page, resolve};
use lantern_ratelimit::Action;
use serde::Deserialize;
use serde_json::json;

use super::count::is_machine;
use crate::state::AppState;

/// Form sent by the app.
#[derive(Debug, Deserialize)]
pub struct PageViewForm {
    path: String,
    #[serde(rename = "ref")]
    came_from: Option<String>,
    campaign: Option<String>,
    event: Option<Event>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    View,
    Pagination,
}

const ABOUT: &str = "The app calls it by `navigator.sendBeacon` when it shows another page. Views are counted by day, campaign and \
    kind of page if `page_views.count` is on; neither the address nor `ref` is stored. Campaigns not listed in \
    `page_views.campaigns` count as `other`.";

pub fn doc(_: &Config) -> Doc {
    let text = || json!({ "type": "string" });
    Doc::post("actions", "pageview", "/api/pageview.php", "Count a page view")
        .about(ABOUT)
        .fields(vec![
            field("path", "Path of the page.", text(), "/videos/latest-updates/1/").required(),
            field("ref", "Address of the previous page; empty if there was none.", text(), ""),
            field("campaign", "Campaign that brought the visitor.", text(), ""),
            field("event", "`pagination` for another page of the same list.", one_of(&["view", "pagination"]), "view"),
        ])
        .answers_empty(204, "Counted, or not to be counted.")
        .refuses(refusal(422, &[("required", "`path` is missing")]))
        .refuses(too_often())
}

pub async fn pageview(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<PageViewForm>,
) -> ApiResult<StatusCode> {
    state.limits.check(Action::PageView, client.key)?;
    let settings = &state.config.page_views;
    let Page::Shown(shown) = resolve(&form.path, None) else { return Ok(StatusCode::NO_CONTENT) };
    if settings.count && !is_machine(&state.crawlers, &state.views, &client, &headers).await {
        let campaign = settings.campaign(form.campaign.as_deref().unwrap_or_default());
        let is_view = form.event != Some(Event::Pagination);
        let own = origin(&state.config, &headers);
        let is_entry = is_view && !is_within(form.came_from.as_deref().unwrap_or_default(), &own);
        state.page_views.add(campaign, shown.screen, [is_view, is_entry, !is_view]);
    }
    Ok(StatusCode::NO_CONTENT)
}

fn is_within(address: &str, origin: &str) -> bool {
    address.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_from_within_the_site_is_no_entry() {
        let own = "https://tube.example";
        assert!(is_within("https://tube.example/videos/1/", own) && is_within(own, own));
        assert!(!is_within("https://tube.example.evil/", own) && !is_within("", own));
    }
}
