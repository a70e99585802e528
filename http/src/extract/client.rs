//! Who asks: the address and country, as far as the trusted proxies vouch for them.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRef, FromRequestParts},
    http::request::Parts,
};
use lantern_config::{Config, Mode};
use lantern_errors::ApiError;
use lantern_ratelimit::ClientKey;

use crate::proxies::TrustedProxies;

/// The visitor behind a request.
pub struct Client {
    pub address: IpAddr,
    pub key: ClientKey,
    /// ISO 3166-1 alpha-2, or the configured default.
    pub country: String,
}

impl<S> FromRequestParts<S> for Client
where
    S: Send + Sync,
    Arc<Config>: FromRef<S>,
    TrustedProxies: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let (config, proxies) = (Arc::<Config>::from_ref(state), TrustedProxies::from_ref(state));
        // A call inside the process (tests, warm-up) has no peer and is as local as can be.
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
        if config.mode == Mode::Production && proxies.is_news_of_forgotten(peer, &parts.headers) {
            tracing::warn!(
                %peer,
                "a proxy on this machine passes requests on and server.trusted_proxies doesn't name it: all its visitors count as one"
            );
        }
        let named = parts
            .headers
            .get(&config.server.country_header)
            .filter(|_| proxies.trusts(peer))
            .and_then(|value| value.to_str().ok())
            .map(str::to_ascii_uppercase)
            .filter(|code| lantern_config::labels::is_country(code));
        let address = proxies.visitor(peer, &parts.headers);
        Ok(Self {
            address,
            key: ClientKey::from(address),
            country: named.unwrap_or_else(|| config.visitors.default_country.clone()),
        })
    }
}
