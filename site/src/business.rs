//! Advertisements, offers and list texts in the app's boot data. They are absent unless an operator has configured
//! them.

use axum::{extract::FromRequestParts, http::request::Parts};
use lantern_accounts::{
    premium::has_premium,
    session,
    viewer::{Sessions, Viewer},
};
use lantern_config::{AdSlot, Config, NamedLink, PremiumOffer};
use lantern_errors::ApiResult;
use serde::Serialize;

use crate::{list_texts::TextBlock, request::PageRequest};

/// Fields of the app's boot data.
#[derive(Default, Serialize)]
pub struct Business<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ads: Option<Ads<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Offers<'a>>,
    /// Whether visits are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_views: Option<bool>,
    /// The operator's text to show below the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a [TextBlock]>,
}

/// Placements that have an advertisement.
#[derive(Serialize)]
struct Ads<'a> {
    /// Whether the visitor must consent first.
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

/// Promotion of the site itself and its partners.
#[derive(Serialize)]
struct Offers<'a> {
    trending: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    premium: Option<&'a PremiumOffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a NamedLink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    friend: Option<&'a NamedLink>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    partners: &'a [NamedLink],
}

fn is_empty(slot: &&AdSlot) -> bool {
    slot.wide.is_empty() && slot.narrow.is_empty()
}

impl<'a> Business<'a> {
    pub async fn of(
        config: &'a Config,
        sessions: &Sessions,
        request: &PageRequest,
        text: Option<&'a [TextBlock]>,
    ) -> Self {
        let page_views = config.page_views.count.then_some(true);
        if !config.ads.is_on() && !config.offers.is_on() {
            return Self { page_views, text, ..Self::default() };
        }
        let is_premium = is_premium(sessions, &request.parts).await.unwrap_or_else(|error| {
            // A premium member must not see advertisements just because the catalog is unavailable.
            tracing::warn!(%error, "premium status unknown, page sent without advertisements");
            true
        });
        let shows_ads = config.ads.is_on() && !is_premium;
        Self {
            page_views,
            ads: shows_ads.then(|| ads(config, &request.visitor.boot.country_code)),
            offers: config.offers.is_on().then(|| offers(config, is_premium)),
            text,
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

fn offers(Config { offers, .. }: &Config, is_premium: bool) -> Offers<'_> {
    // Premium members see nothing that is marked as advertising.
    let shown = |url: &str| !url.is_empty() && !is_premium;
    Offers {
        trending: offers.trending,
        premium: Some(&offers.premium).filter(|offer| shown(&offer.url)),
        suggestion: Some(&offers.suggestion).filter(|link| shown(&link.url)),
        friend: Some(&offers.friend).filter(|link| shown(&link.url)),
        partners: &offers.partners,
    }
}

/// Whether the viewer has premium. Costs no query for guests.
async fn is_premium(sessions: &Sessions, parts: &Parts) -> ApiResult<bool> {
    if session::token(&sessions.config, &parts.headers).is_none() {
        return Ok(false);
    }
    let Viewer(member) = Viewer::from_request_parts(&mut parts.clone(), sessions).await?;
    let Some(member) = member else { return Ok(false) };
    has_premium(&sessions.pool, &sessions.config, (sessions.now)(), member.id).await
}
