//! Decides whose searches and clicks count.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Method, header, request::Parts},
};
use lantern_config::Config;
use lantern_errors::ApiError;
use lantern_http::Client;
use lantern_ratelimit::ClientKey;

use lantern_accounts::calls::me::Boot;

use crate::{state::AppState, views::queue::Views};

/// Address of the call for lists without what the visitor has muted. It counts searches in the same way as the search
/// call.
pub(crate) const UNMUTED: &str = "/api/unmuted.php";

/// Whether a visitor sees the responses to a page's internal calls. This value is passed to the calls because they have
/// neither the page's method nor its cookies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnswerVisibility(pub bool);

/// The visitor whose search counts. It is `None` if the search doesn't count, either because a robot sent it or because
/// its results aren't shown.
pub struct Searcher(pub Option<ClientKey>);

impl FromRequestParts<AppState> for Searcher {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let client = Client::from_request_parts(parts, state).await?;
        let shown = match parts.extensions.get::<AnswerVisibility>() {
            Some(AnswerVisibility(shown)) => *shown,
            None => has_reader(parts) && !Boot::new(&state.config, &client, &parts.headers).age_gate,
        };
        Ok(Self((shown && !is_robot(&state.config, &state.views, &parts.headers)).then_some(client.key)))
    }
}

/// Whether the client reads the response body rather than only its head.
fn has_reader(parts: &Parts) -> bool {
    parts.method == Method::GET || parts.method == Method::POST && parts.uri.path() == UNMUTED
}

/// Returns the visitor whose click on a search result counts.
pub(crate) fn of_click(config: &Config, views: &Views, client: &Client, headers: &HeaderMap) -> Option<ClientKey> {
    let has_seen = !Boot::new(config, client, headers).age_gate && !is_robot(config, views, headers);
    has_seen.then_some(client.key)
}

/// Whether the `User-Agent` claims to be a machine or is empty. Browsers never send an empty one.
fn is_robot(config: &Config, views: &Views, headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let lower = agent.to_lowercase();
    let mut engines = config.crawlers.engines.iter().flat_map(|engine| &engine.agents);
    lower.trim().is_empty() || views.is_bot(agent) || engines.any(|name| lower.contains(&name.to_lowercase()))
}
