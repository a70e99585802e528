//! What a request calls this server (`Host`).

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{StatusCode, Version, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lantern_config::Config;

use lantern_errors::ApiError;

/// Mark of a request without a clear `Host`, which is refused before anything else is done with it.
#[derive(Debug, Clone, Copy)]
pub struct Unnamed;

/// Whether a request has one `Host`, as HTTP/1.1 requires (RFC 9112, 3.2). Servers on the way that read different ones of two would
/// take one request for another's. HTTP/1.0 may have none.
pub fn is_clear(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => Authority::try_from(host.as_bytes()).is_ok_and(|host| !host.as_str().contains('@')),
        (None, _) => request.version() < Version::HTTP_11,
        _ => false,
    }
}

/// Refuses to answer operators by a name that isn't theirs: a page that somebody opens on this machine can let its own name lead here
/// (DNS rebinding), but its browser says that name. An address, `localhost` and `server.monitor_hosts` are let through.
pub async fn guard_monitor(State(config): State<Arc<Config>>, request: Request, next: Next) -> Response {
    if !is_clear(&request) {
        return ApiError::Malformed("Host").into_response();
    }
    let host = request.headers().get(header::HOST).and_then(|host| Authority::try_from(host.as_bytes()).ok());
    if host.is_none_or(|host| is_own(host.host(), &config.server.monitor_hosts)) {
        return next.run(request).await;
    }
    let status = StatusCode::MISDIRECTED_REQUEST;
    ApiError::Refused { status, code: "wrong_host", field: None, info: None }.into_response()
}

fn is_own(host: &str, named: &[String]) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is = |name: &str| host.trim_end_matches('.').eq_ignore_ascii_case(name);
    bare.parse::<IpAddr>().is_ok() || is("localhost") || named.iter().any(|name| is(name))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn one_host_is_clear() {
        let clear = |hosts: &[&str], version| {
            let mut request = Request::builder().version(version);
            for host in hosts {
                request = request.header(header::HOST, *host);
            }
            is_clear(&request.body(Body::empty()).unwrap())
        };
        for host in ["tube.example", "tube.example:8080", "127.0.0.1:80", "[::1]:80", "localhost"] {
            assert!(clear(&[host], Version::HTTP_11), "{host}");
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
            assert!(!clear(hosts, Version::HTTP_11), "{hosts:?}");
        }
        assert!(clear(&[], Version::HTTP_10) && !clear(&["a", "b"], Version::HTTP_10));
    }

    #[test]
    fn operators_ask_by_address_or_a_name_of_theirs() {
        let named = ["figures.example".to_owned()];
        for host in ["127.0.0.1", "[::1]", "10.0.0.7", "localhost", "LOCALHOST", "localhost.", "Figures.example"] {
            assert!(is_own(host, &named), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "figures.example.evil.example", ""]
        {
            assert!(!is_own(host, &named), "{host}");
        }
    }
}
