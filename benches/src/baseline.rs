//! What every figure is compared with, on loopback in this process: a hello-world server, and a bare handler that returns the
//! bytes and headers of a given answer.

use axum::{
    Router,
    http::{HeaderMap, Response, header},
    routing::get,
};
use bytes::Bytes;

/// The servers' addresses.
pub struct Baseline {
    /// Answers `hello`.
    pub hello: String,
    /// Answers what the site answered.
    pub bare: String,
}

/// Starts both on a free loopback port; `body` and `headers` are what the bare handler returns.
///
/// # Errors
/// No port can be had.
pub async fn start(body: Bytes, mut headers: HeaderMap) -> anyhow::Result<Baseline> {
    // The server writes these itself.
    for name in [header::DATE, header::CONTENT_LENGTH, header::TRANSFER_ENCODING, header::CONNECTION] {
        headers.remove(name);
    }
    let bare = move || {
        let mut response = Response::new(axum::body::Body::from(body.clone()));
        response.headers_mut().clone_from(&headers);
        async { response }
    };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let router = Router::new().route("/", get(|| async { "hello" })).route("/bare", get(bare));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(Baseline { hello: format!("http://{address}/"), bare: format!("http://{address}/bare") })
}
