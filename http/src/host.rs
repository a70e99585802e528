//! The `Host` header: its validation, and the origin of the site.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Version, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lantern_config::Config;
use lantern_errors::ApiError;

/// Extension that marks a request without a valid `Host`. [`crate::envelope`] rejects it before any other processing.
#[derive(Debug, Clone, Copy)]
pub struct InvalidHost;

/// Returns whether a request has exactly one valid `Host`, as HTTP/1.1 requires (RFC 9112, 3.2). With two, a proxy and this server could
/// attribute the request to different sites. HTTP/1.0 may have none.
pub fn is_valid(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => Authority::try_from(host.as_bytes()).is_ok_and(|host| !host.as_str().contains('@')),
        (None, _) => request.version() < Version::HTTP_11,
        _ => false,
    }
}

/// Middleware of the monitoring port that rejects foreign host names with 421. A web page can point its domain name to this machine (DNS
/// rebinding), but the browser then sends that name. IP addresses, `localhost` and `server.monitor_hosts` are allowed.
pub async fn guard_monitor(State(config): State<Arc<Config>>, request: Request, next: Next) -> Response {
    if !is_valid(&request) {
        return ApiError::Malformed("Host").into_response();
    }
    let host = request.headers().get(header::HOST).and_then(|host| Authority::try_from(host.as_bytes()).ok());
    if host.is_none_or(|host| is_allowed(host.host(), &config.server.monitor_hosts)) {
        return next.run(request).await;
    }
    let status = StatusCode::MISDIRECTED_REQUEST;
    ApiError::Refused { status, code: "wrong_host", field: None, info: None }.into_response()
}

fn is_allowed(host: &str, names: &[String]) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is = |name: &str| host.trim_end_matches('.').eq_ignore_ascii_case(name);
    bare.parse::<IpAddr>().is_ok() || is("localhost") || names.iter().any(|name| is(name))
}

/// Returns the origin of the site: the configured one, or on a developer's machine the one in `Host`.
pub fn origin(config: &Config, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let plain = |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b));
    match host.filter(plain) {
        Some(host) if config.server.public_url.is_empty() => format!("http://{host}"),
        _ => config.public_url(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn exactly_one_host_is_valid() {
        let valid = |hosts: &[&str], version| {
            let mut request = Request::builder().version(version);
            for host in hosts {
                request = request.header(header::HOST, *host);
            }
            is_valid(&request.body(Body::empty()).unwrap())
        };
        for host in ["tube.example", "tube.example:8080", "127.0.0.1:80", "[::1]:80", "localhost"] {
            assert!(valid(&[host], Version::HTTP_11), "{host}");
        }
        for hosts in [
            &[][..],
            &["a.example", "a.example"],
            &["a.example", "b.example"],
            &[""],
            &["a b"],
            &["u@a.example"],
            &["a/b"],
        ] {
            assert!(!valid(hosts, Version::HTTP_11), "{hosts:?}");
        }
        assert!(valid(&[], Version::HTTP_10) && !valid(&["a", "b"], Version::HTTP_10));
    }

    #[test]
    fn addresses_localhost_and_configured_names_are_allowed() {
        let names = ["figures.example".to_owned()];
        for host in ["127.0.0.1", "[::1]", "10.0.0.7", "localhost", "LOCALHOST", "localhost.", "Figures.example"] {
            assert!(is_allowed(host, &names), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "figures.example.evil.example", ""]
        {
            assert!(!is_allowed(host, &names), "{host}");
        }
    }
}
