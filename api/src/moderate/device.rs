//! Browsers in which a moderator has taken the second step. A cookie identifies them, and wrong codes are counted per browser.

use axum::http::{HeaderMap, HeaderValue};
use lantern_accounts::{session::now, token::Token, viewer::Member};
use lantern_catalog::moderation::staff;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::cookies;
use lantern_ratelimit::{Action, Attempt, Key, LimitRefusal, Limits};
use time::Duration;

use crate::state::AppState;

/// With this prefix, browsers accept the cookie only over HTTPS, from this exact host and for all paths.
const SECURE_NAME: &str = "__Host-staff-device";
/// Browsers reject the prefix over plain HTTP, which development uses.
const PLAIN_NAME: &str = "staff-device";

fn cookie_name(config: &Config) -> &'static str {
    if config.secure_cookies() { SECURE_NAME } else { PLAIN_NAME }
}

/// A moderator's browser.
pub enum Device {
    /// The moderator has taken the second step in this browser.
    Known(Token),
    /// The browser is unknown.
    Unknown {
        /// Whether this session has taken the second step before.
        has_stepped: bool,
    },
}

impl Device {
    /// Identifies the browser that sent a request.
    pub async fn of(state: &AppState, headers: &HeaderMap, member: &Member, has_stepped: bool) -> ApiResult<Self> {
        let unknown = Self::Unknown { has_stepped };
        let Some(token) = cookies::get(headers, cookie_name(&state.config)).and_then(Token::parse) else {
            return Ok(unknown);
        };
        let since = now((state.now)())? - Duration::days(state.config.moderation.device_days.into());
        let is_known = staff::knows_device(&state.pool, member.id, &token.hash(), since).await?;
        Ok(if is_known { Self::Known(token) } else { unknown })
    }

    /// Counts a code before it is checked, toward the limits per quarter of an hour and per day.
    pub async fn count(&self, limits: &Limits, member: &Member) -> Result<[Attempt; 2], LimitRefusal> {
        let session = format!("second step of session {}", member.session_id);
        // Attackers who know the password share one daily limit, however many sessions they begin.
        let (short, long) = match self {
            Self::Known(token) => {
                let device = Key::text(&format!("second step of device {}", hex::encode(token.hash())));
                (device, device)
            }
            Self::Unknown { has_stepped: true } => (Key::text(&session), Key::text(&session)),
            Self::Unknown { has_stepped: false } => (Key::text(&session), Key::member(member.id)),
        };
        let counted = limits.take(Action::SecondStep, &short).await?;
        match limits.take(Action::SecondStepDay, &long).await {
            Ok(in_day) => Ok([counted, in_day]),
            Err(refused) => {
                counted.give_back().await?;
                if matches!(refused, LimitRefusal::Wait(_)) {
                    tracing::warn!(
                        user = member.id,
                        "daily limit of wrong one-time passwords reached for a moderator; the attacker knows the password"
                    );
                }
                Err(refused)
            }
        }
    }

    /// Stores the browser as known and returns the `Set-Cookie` value.
    pub async fn remember(self, state: &AppState, member: &Member) -> ApiResult<HeaderValue> {
        let settings = &state.config.moderation;
        let token = match self {
            Self::Known(token) => token,
            Self::Unknown { .. } => Token::random()?,
        };
        let present = now((state.now)())?;
        staff::remember_device(&state.pool, member.id, &token.hash(), present, settings.devices_most).await?;
        let secure = if state.config.secure_cookies() { "; Secure" } else { "" };
        let (name, seconds) = (cookie_name(&state.config), 86_400 * u64::from(settings.device_days));
        let cookie = format!("{name}={}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", token.as_str());
        HeaderValue::try_from(cookie).map_err(ApiError::internal)
    }
}
