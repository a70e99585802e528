//! The hello-world server every figure is compared with.

use axum::{Router, routing::get};

/// Starts it on a free loopback port and returns its address.
pub async fn start() -> anyhow::Result<String> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let router = Router::new().route("/", get(|| async { "hello" }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(format!("http://{address}/"))
}
