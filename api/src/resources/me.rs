//! `GET /api/me.php`: who is visiting, and what the page must know before it shows anything.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_config::Lang;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{cookies, extract::Client, state::AppState};

/// What every page starts with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Boot {
    /// ISO 3166-1 alpha-2, `XX` when unknown.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    pub country_code: String,
    /// Language of the cookie.
    pub lang: Lang,
    /// Whether the visitor must agree to be an adult before anything is shown.
    #[schema(example = true)]
    pub age_gate: bool,
}

impl Boot {
    /// From the visitor's address and cookies.
    #[must_use]
    pub fn new(state: &AppState, client: &Client, headers: &HeaderMap) -> Self {
        let gated =
            state.config.visitors.age_gate_countries.iter().any(|country| country == "*" || *country == client.country);
        let agreed = cookies::get(headers, cookies::AGE_AGREED).is_some_and(|value| value == "1");
        Self {
            country_code: client.country.clone(),
            lang: cookies::get(headers, cookies::LANG).and_then(|lang| lang.parse().ok()).unwrap_or(Lang::En),
            age_gate: gated && !agreed,
        }
    }
}

/// Who is visiting.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// Members can't sign in yet, so everyone is a guest.
    #[schema(schema_with = crate::openapi::null)]
    user: Option<()>,
    /// What the page starts with.
    #[serde(flatten)]
    boot: Boot,
}

/// The handler.
pub async fn me(State(state): State<AppState>, client: Client, headers: HeaderMap) -> Response {
    let boot = Boot::new(&state, &client, &headers);
    let answer = Json(Me { user: None, boot });
    ([(header::CACHE_CONTROL, "private, no-store")], answer).into_response()
}
