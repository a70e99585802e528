//! The three ways to reach an engine. Tests need not know which one is used.

use std::env;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_index::{SearchClient, Transport as Client};
use tower::ServiceExt;

/// An open engine that is reached in one of these ways.
#[async_trait]
pub trait Wire: Send + Sync {
    /// Returns an SDK client that sends `key`.
    fn client(&self, key: Option<&str>) -> SearchClient;

    /// Sends a request unchanged. Its URI is a path.
    async fn send(&self, request: Request<Bytes>) -> Response<Bytes>;
}

/// An engine and its keys.
#[derive(Clone)]
pub struct OpenEngine {
    pub wire: Arc<dyn Wire>,
    pub master: String,
    /// Search key, if there is one.
    pub search: Option<String>,
}

/// A way to reach an engine.
pub struct Transport {
    pub name: &'static str,
    /// Required environment variables.
    needs: &'static [&'static str],
    /// Additional environment variables for tests of the search key.
    search_key_needs: &'static [&'static str],
    pub open: fn() -> Pin<Box<dyn Future<Output = OpenEngine>>>,
}

pub const TRANSPORTS: &[Transport] = &[
    Transport { name: "in_process", needs: &[], search_key_needs: &[], open: || Box::pin(in_process()) },
    Transport { name: "over_http", needs: &[], search_key_needs: &[], open: || Box::pin(over_http()) },
    Transport {
        name: "server",
        needs: &["MEILI_URL", "MEILI_KEY"],
        search_key_needs: &["MEILI_SEARCH_KEY"],
        open: || Box::pin(async { server() }),
    },
];

impl Transport {
    /// If the tests of a module cannot run, returns the reason.
    pub fn missing(&self, module: &str) -> Option<String> {
        let more = if module == "search_key" { self.search_key_needs } else { &[] };
        let unset = |name: &&str| env::var_os(name).is_none();
        let unset: Vec<&str> = self.needs.iter().chain(more).copied().filter(unset).collect();
        (!unset.is_empty()).then(|| format!("{} isn't set", unset.join(", ")))
    }
}

const MASTER: &str = "a master key of a test";
const SEARCH: &str = "a search key of a test";

/// Keeps the engine's folder for as long as the engine.
struct InProcess {
    router: Router,
    _engine: Engine,
    _folder: tempfile::TempDir,
}

struct Http {
    url: String,
    http: reqwest::Client,
    _engine: Option<InProcess>,
}

fn engine() -> InProcess {
    let folder = tempfile::tempdir().unwrap();
    let mut options = EngineOptions::new(folder.path());
    options.initial_map_size = 16 << 20;
    options.queue_map_size = 256 << 20;
    let engine = Engine::open(options).unwrap();
    InProcess { router: engine.router(Keys::new(MASTER, SEARCH)), _engine: engine, _folder: folder }
}

fn opened(wire: impl Wire + 'static) -> OpenEngine {
    OpenEngine { wire: Arc::new(wire), master: MASTER.into(), search: Some(SEARCH.into()) }
}

async fn in_process() -> OpenEngine {
    opened(engine())
}

async fn over_http() -> OpenEngine {
    let engine = engine();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = engine.router.clone();
    tokio::spawn(async move { axum::serve(listener, router).await });
    opened(Http { url, http: reqwest::Client::new(), _engine: Some(engine) })
}

fn server() -> OpenEngine {
    let setting = |name: &str| env::var(name).unwrap();
    let url = setting("MEILI_URL").trim_end_matches('/').to_owned();
    let wire = Http { url, http: reqwest::Client::new(), _engine: None };
    OpenEngine { wire: Arc::new(wire), master: setting("MEILI_KEY"), search: env::var("MEILI_SEARCH_KEY").ok() }
}

#[async_trait]
impl Wire for InProcess {
    fn client(&self, key: Option<&str>) -> SearchClient {
        Client::in_process(self.router.clone(), key)
    }

    async fn send(&self, request: Request<Bytes>) -> Response<Bytes> {
        let response = self.router.clone().oneshot(request.map(Body::from)).await.unwrap();
        let (parts, body) = response.into_parts();
        Response::from_parts(parts, body.collect().await.unwrap().to_bytes())
    }
}

#[async_trait]
impl Wire for Http {
    fn client(&self, key: Option<&str>) -> SearchClient {
        Client::http(&self.url, key).unwrap()
    }

    async fn send(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (mut parts, body) = request.into_parts();
        parts.uri = format!("{}{}", self.url, parts.uri).parse().unwrap();
        let request = reqwest::Request::try_from(Request::from_parts(parts, body)).unwrap();
        let response: Response<reqwest::Body> = self.http.execute(request).await.unwrap().into();
        let (parts, body) = response.into_parts();
        Response::from_parts(parts, body.collect().await.unwrap().to_bytes())
    }
}
