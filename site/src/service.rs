//! The site as a service. Cached responses are served before routing and middleware.

use std::{
    convert::Infallible,
    fmt,
    future::{Future, Ready, ready},
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, StatusCode, header},
    response::Response,
    serve::IncomingStream,
};
use lantern_http::{
    envelope, host, security,
    server::{Process, Server},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::{Service, ServiceExt};

use crate::{router::router, state::SiteState};

/// Serves requests. [`Server`] sets the peer address of each connection. The service also works with `axum::serve`.
#[derive(Clone)]
pub struct Site {
    inside: Arc<Inside>,
    peer: Option<SocketAddr>,
}

struct Inside {
    state: SiteState,
    router: Router,
    /// `Strict-Transport-Security` of every response.
    transport: Option<HeaderValue>,
}

impl Site {
    /// Creates the whole site: calls, media and pages.
    #[must_use]
    pub fn new(state: SiteState) -> Self {
        let transport = security::transport(&state.config);
        Self { inside: Arc::new(Inside { router: router(&state), state, transport }), peer: None }
    }

    /// Returns a handle for a connection from `peer`.
    fn with_peer(&self, peer: SocketAddr) -> Self {
        Self { peer: Some(peer), ..self.clone() }
    }

    /// Creates a server of the site on `listener`, with the limits of `[server]`.
    #[must_use]
    pub fn server(self, listener: TcpListener) -> Server<Self> {
        let state = self.inside.state.clone();
        let process = Process {
            settings: &state.config.server,
            connections: Arc::clone(&state.connections),
            draining: state.health.draining(),
        };
        Server::new(listener, self, Self::with_peer, process)
    }
}

/// Serves the site on `listener` until `stop`, like [`Server::run`].
pub async fn serve(listener: TcpListener, site: Site, stop: CancellationToken) {
    site.server(listener).run(stop).await;
}

/// Prints the routes.
impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inside.router.fmt(f)
    }
}

impl Service<IncomingStream<'_, TcpListener>> for Site {
    type Response = Self;
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, stream: IncomingStream<'_, TcpListener>) -> Self::Future {
        ready(Ok(self.with_peer(*stream.remote_addr())))
    }
}

impl Service<Request> for Site {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let Self { inside, peer } = self.clone();
        Box::pin(async move {
            // Calls from within the process have no `Host`.
            let has_host = peer.is_none() || host::is_valid(&request);
            let cached = match has_host {
                true => inside.state.cache.ready(request.method(), request.uri(), request.headers()).await,
                false => None,
            };
            let mut response = if let Some(mut response) = cached {
                envelope::add_request_id(&mut response);
                response
            } else {
                if !has_host {
                    request.extensions_mut().insert(host::InvalidHost);
                }
                if let Some(peer) = peer {
                    request.extensions_mut().insert(ConnectInfo(peer));
                }
                inside.router.clone().oneshot(request).await?
            };
            // A client that gets a 304 received this header with the original response.
            if let Some(transport) = &inside.transport
                && response.status() != StatusCode::NOT_MODIFIED
            {
                response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, transport.clone());
            }
            Ok(response)
        })
    }
}
