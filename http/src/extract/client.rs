//! Address and country of the visitor, taken from headers only if a trusted proxy set them.

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

/// Visitor who sent a request.
pub struct Client {
    /// Address of the visitor, or of the nearest untrusted proxy.
    pub address: IpAddr,
    /// Key by which rate limits count the visitor.
    pub key: ClientKey,
    /// Country code (ISO 3166-1 alpha-2) from `server.country_header`, or `visitors.default_country`.
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
        // Calls from within the process (tests, warm-up) have no peer and count as loopback.
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
        if config.mode == Mode::Production && proxies.detects_unlisted_proxy(peer, &parts.headers) {
            tracing::warn!(
                %peer,
                "a proxy on this machine is missing in server.trusted_proxies: all its visitors count as one client"
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
