//! What pays for the site, as far as a visitor sees it. Where an operator set nothing up there is nothing.

use axum::{extract::FromRequestParts, http::request::Parts};
use lantern_catalog::premium;
use lantern_config::{AdSlot, Config};
use serde::Serialize;
use time::OffsetDateTime;

use super::{list_texts::Block, request::Asked};
use crate::{
    account::session,
    http::{
        error::{ApiError, ApiResult},
        extract::Viewer,
    },
    state::AppState,
};

/// Fields of the app's start values.
#[derive(Default, Serialize)]
pub struct Business<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ads: Option<Ads<'a>>,
    /// Whether visits are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_views: Option<bool>,
    /// What an operator says below the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a [Block]>,
}

/// The places that have an advertisement.
#[derive(Serialize)]
struct Ads<'a> {
    /// Whether the visitor must agree first.
    asks: bool,
    under_player_percent: u8,
    channel_banners: bool,
    #[serde(skip_serializing_if = "is_empty")]
    sponsor: &'a AdSlot,
    #[serde(skip_serializing_if = "is_empty")]
    under_player: &'a AdSlot,
    #[serde(skip_serializing_if = "is_empty")]
    related: &'a AdSlot,
    #[serde(skip_serializing_if = "is_empty")]
    page: &'a AdSlot,
}

fn is_empty(slot: &&AdSlot) -> bool {
    slot.wide.is_empty() && slot.narrow.is_empty()
}

impl<'a> Business<'a> {
    pub async fn of(app: &'a AppState, asked: &Asked) -> Self {
        let config = &app.config;
        let page_views = config.page_views.count.then_some(true);
        let rest = Self { page_views, ..Self::default() };
        if !config.ads.is_on() || asked.visitor.boot.age_gate {
            return rest;
        }
        match is_premium(app, &asked.parts).await {
            Ok(false) => Self { ads: Some(ads(config, &asked.visitor.boot.country_code)), ..rest },
            Ok(true) => rest,
            Err(error) => {
                // Who paid must not see one because the catalog is away.
                tracing::warn!(%error, "a page has no advertisements");
                rest
            }
        }
    }
}

fn ads<'a>(Config { ads, .. }: &'a Config, country: &str) -> Ads<'a> {
    Ads {
        asks: ads.asks(country),
        under_player_percent: ads.under_player_percent,
        channel_banners: ads.channel_banners,
        sponsor: &ads.sponsor,
        under_player: &ads.under_player,
        related: &ads.related,
        page: &ads.page,
    }
}

/// Guests cost no question.
async fn is_premium(app: &AppState, parts: &Parts) -> ApiResult<bool> {
    if session::token(&app.config, &parts.headers).is_none() {
        return Ok(false);
    }
    let Viewer(member) = Viewer::from_request_parts(&mut parts.clone(), app).await?;
    let Some(member) = member else { return Ok(false) };
    let now = OffsetDateTime::from_unix_timestamp((app.now)()).map_err(ApiError::internal)?;
    Ok(premium::is_premium(&app.pool, member.id, now).await?)
}
