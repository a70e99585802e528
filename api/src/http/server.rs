//! Accepts connections and bounds what each may hold: a place, the time for a head, the time without taking its answer.
//!
//! HTTP/1.1 alone, which is what proxies speak to the servers behind them: docs/adr/0030-what-a-client-may-take.md.

use std::{net::SocketAddr, pin::pin, time::Duration};

use axum::body::Body;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

use super::{
    connections::{ConnectionSlot, Connections},
    site::Site,
};

/// Between two tries to accept while the machine has no files left.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);

/// Answers on `listener` until `stop`; then takes no more connections, lets open requests end and closes the others.
/// Bounds and times are those of `[server]` in the site's configuration.
pub async fn serve(listener: TcpListener, site: Site, stop: CancellationToken) {
    let server = &site.state().config.server;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(server.header_timeout));
    let write_timeout = Duration::from_secs(server.write_timeout);
    let open = TaskTracker::new();
    loop {
        let (stream, peer, place) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &site.state().connections) => accepted,
        };
        let connection = answer(stream, site.of(peer), http.clone(), write_timeout, stop.clone());
        open.spawn(async move {
            connection.await;
            drop(place);
        });
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// The next connection for which there is a place.
async fn accept(listener: &TcpListener, connections: &Connections) -> (TcpStream, SocketAddr, ConnectionSlot) {
    loop {
        connections.room().await;
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(place) = connections.place(peer.ip()) {
                    return (stream, peer, place);
                }
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

/// Whether the other end gave up before it was accepted.
fn is_the_clients(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers one request after the other until either end has enough.
async fn answer(stream: TcpStream, site: Site, http: http1::Builder, write_timeout: Duration, stop: CancellationToken) {
    // An answer is written at once; to wait for more would only delay its end.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection that is gone already");
        return;
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write_timeout));
    let service = service_fn(move |request: Request<Incoming>| site.clone().call(request.map(Body::new)));
    let mut connection = pin!(http.serve_connection(TokioIo::new(Box::pin(stream)), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection was closed");
    }
}
