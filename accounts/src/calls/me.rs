//! `GET /api/me.php`: the visitor, and the state that a page needs before it renders.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{accounts, status::MemberStatus};
use lantern_config::{Config, Lang};
use lantern_errors::ApiResult;
use lantern_http::{Client, cookies, openapi::Doc, private};
use lantern_media::pictures::avatar;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{calls::AccountState, premium::has_premium, viewer::Viewer};

/// State that every page starts with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Boot {
    /// ISO 3166-1 alpha-2, `XX` when unknown.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    pub country_code: String,
    /// Language from the cookie or browser.
    pub lang: Lang,
    /// Whether the visitor must confirm being an adult before anything is shown.
    #[schema(example = true)]
    pub age_gate: bool,
}

impl Boot {
    /// Derives the state from the visitor's address and cookies.
    #[must_use]
    pub fn new(config: &Config, client: &Client, headers: &HeaderMap) -> Self {
        let gated =
            config.visitors.age_gate_countries.iter().any(|country| country == "*" || *country == client.country);
        let agreed = cookies::get(headers, cookies::AGE_AGREED).is_some_and(|value| value == "1");
        Self { country_code: client.country.clone(), lang: cookies::lang(headers), age_gate: gated && !agreed }
    }
}

/// The visitor.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// The signed-in member; null for guests.
    user: Option<OwnUser>,
    #[serde(flatten)]
    boot: Boot,
}

/// The signed-in member.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnUser {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    username: String,
    /// Avatar; null if none.
    #[schema(example = "/media/p/demo/pictures/07-320.webp")]
    avatar: Option<String>,
    /// Status, never 5.
    #[schema(example = 1)]
    status_id: MemberStatus,
    /// Number of unread messages.
    #[schema(example = 2, minimum = 0)]
    unread_messages: i64,
    /// Number of open friend requests.
    #[schema(example = 1, minimum = 0)]
    friend_requests: i64,
    /// Number of unread notifications; 100 means 100 or more.
    #[schema(example = 3, minimum = 0, maximum = 100)]
    unread_notifications: i64,
    /// Seconds until a page requests this again.
    #[schema(example = 60, minimum = 1)]
    refresh_seconds: u32,
    /// Whether the member may moderate, after the second step.
    #[schema(example = false)]
    is_moderator: bool,
    /// Whether the member sees no advertisements; false if the site has none.
    #[schema(example = false)]
    is_premium: bool,
}

impl OwnUser {
    /// Loads the signed-in member, or returns `None` if the account has just been deleted.
    pub(crate) async fn load(pool: &PgPool, config: &Config, now: i64, user_id: i64) -> ApiResult<Option<Self>> {
        let own = accounts::own(pool, user_id).await?;
        let is_premium = has_premium(pool, config, now, user_id).await?;
        Ok(own.map(|own| Self {
            user_id,
            username: own.username,
            avatar: avatar(own.avatar_key.as_deref()),
            status_id: own.status_id,
            unread_messages: own.unread_messages,
            friend_requests: own.friend_requests,
            unread_notifications: own.unread_notifications,
            refresh_seconds: config.notifications.refresh_seconds,
            is_moderator: own.is_moderator,
            is_premium,
        }))
    }
}

/// Documents the call.
pub fn doc(_: &Config) -> Doc {
    Doc::new("site", "me", "/api/me.php", "Get the visitor")
        .about("State that a page needs before it renders, from the session, the cookies `app_lang` and `age_agreed`, and the client address.")
        .answers::<Me>("The visitor.")
}

/// Returns the visitor.
pub async fn me(
    State(state): State<AccountState>,
    client: Client,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let user = match viewer {
        Some(member) => OwnUser::load(&state.pool, &state.config, (state.now)(), member.id).await?,
        None => None,
    };
    Ok(private::answer(Me { user, boot: Boot::new(&state.config, &client, &headers) }))
}
