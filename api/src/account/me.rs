//! `GET /api/me.php`: who is visiting, and what the page must know before it shows anything.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::accounts;
use lantern_config::{Config, Lang};
use lantern_errors::ApiResult;
use lantern_http::{Client, cookies, openapi::Doc, private};
use lantern_search::index::avatar;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::premium::has_premium;
use crate::{session::Viewer, state::AppState};

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
    pub fn new(config: &Config, client: &Client, headers: &HeaderMap) -> Self {
        let gated =
            config.visitors.age_gate_countries.iter().any(|country| country == "*" || *country == client.country);
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
    /// The member who is signed in; null for guests.
    user: Option<OwnUser>,
    /// What the page starts with.
    #[serde(flatten)]
    boot: Boot,
}

/// The member who is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnUser {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    username: String,
    /// Picture; none is null.
    #[schema(example = "/media/p/demo/pictures/07-320.webp")]
    avatar: Option<String>,
    /// 1 ordinary, 6 may manage uploaded videos.
    #[schema(example = 1, minimum = 1, maximum = 6)]
    status_id: i16,
    /// Messages nobody has read yet.
    #[schema(example = 2, minimum = 0)]
    unread_messages: i64,
    /// Members who ask for friendship.
    #[schema(example = 1, minimum = 0)]
    friend_requests: i64,
    /// What the member is told of and has not read; 100 are 100 or more.
    #[schema(example = 3, minimum = 0, maximum = 100)]
    unread_notifications: i64,
    /// Seconds after which a page asks anew.
    #[schema(example = 60, minimum = 1)]
    refresh_seconds: u32,
    /// Whether the member may decide on uploads, after a second step.
    #[schema(example = false)]
    is_moderator: bool,
    /// Whether the member sees no advertisements; false where there are none.
    #[schema(example = false)]
    is_premium: bool,
}

impl OwnUser {
    /// What a member's own pages start with; `None` when the account has just gone.
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

pub fn doc(_: &Config) -> Doc {
    Doc::new("site", "me", "/api/me.php", "Who is visiting")
        .about("What a page must know before it shows anything; from the session, the cookies `app_lang` and `age_agreed` and the address.")
        .answers::<Me>("The visitor.")
}

pub async fn me(
    State(state): State<AppState>,
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
