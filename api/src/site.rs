//! The site as a service: what is in memory is answered before routing, middleware or the peer's address are looked at.

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
    response::Response,
    serve::IncomingStream,
};
use tokio::net::TcpListener;
use tower::{Service, ServiceExt};

use crate::{envelope, router::router, state::AppState};

/// Answers requests; `axum::serve` takes it as it is and tells it each connection's other end.
#[derive(Clone)]
pub struct Site {
    inside: Arc<Inside>,
    peer: Option<SocketAddr>,
}

struct Inside {
    state: AppState,
    router: Router,
}

impl Site {
    /// The whole site: calls, media, pages.
    #[must_use]
    pub fn new(state: AppState) -> Self {
        Self { inside: Arc::new(Inside { router: router(&state), state }), peer: None }
    }
}

/// The routes, for who has to know them all.
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
        ready(Ok(Self { peer: Some(*stream.remote_addr()), ..self.clone() }))
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
            let kept = inside.state.cache.ready(request.method(), request.uri(), request.headers()).await;
            if let Some(mut response) = kept {
                envelope::sign(&mut response);
                return Ok(response);
            }
            if let Some(peer) = peer {
                request.extensions_mut().insert(ConnectInfo(peer));
            }
            inside.router.clone().oneshot(request).await
        })
    }
}
