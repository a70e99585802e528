//! A node whose requests to the engine are counted.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, body::Body, http::Request, middleware};
use lantern_config::Config;
use lantern_engine::Keys;
use lantern_index::{SearchClient, Transport};
use lantern_indexer::Indexer;
use lantern_testing::TestSearch;
use tokio::net::TcpListener;

use super::{App, NOW, site_at};

const MASTER: &str = "a master key of a test";

/// Counter for requests that reached the engine.
#[derive(Clone, Default)]
pub struct RoundTrips(Arc<AtomicUsize>);

impl RoundTrips {
    /// Returns the number of requests since the last call.
    pub fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl App {
    /// Creates another node on the same catalog and index. Returns `None` if the engine is a server, whose requests
    /// can't be counted.
    pub fn counted_node(&self) -> Option<(Self, RoundTrips)> {
        let (router, trips) = self.counted_router()?;
        let client = Transport::in_process(router, Some(MASTER));
        Some((self.node_of(Arc::clone(&self.config), client, || NOW), trips))
    }

    /// Creates another node that reaches the engine as a server, with the clock `now`.
    pub async fn counted_node_of_server(&self, now: fn() -> i64) -> Option<(Self, RoundTrips)> {
        let (router, trips) = self.counted_router()?;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut config = Config::clone(&self.config);
        config.search.url = format!("http://{}", listener.local_addr().unwrap());
        let client = Transport::http(&config.search.url, Some(MASTER)).unwrap();
        // The server runs until the test's runtime ends.
        tokio::spawn(axum::serve(listener, router).into_future());
        Some((self.node_of(Arc::new(config), client, now), trips))
    }

    fn counted_router(&self) -> Option<(Router, RoundTrips)> {
        let engine = self.search.engine.as_ref()?;
        let trips = RoundTrips::default();
        let counter = Arc::clone(&trips.0);
        let router =
            engine.router(Keys::from_master(MASTER)).layer(middleware::map_request(move |request: Request<Body>| {
                counter.fetch_add(1, Ordering::SeqCst);
                std::future::ready(request)
            }));
        Some((router, trips))
    }

    fn node_of(&self, config: Arc<Config>, client: SearchClient, now: fn() -> i64) -> Self {
        let (db, folder) = (Arc::clone(&self.db), tempfile::tempdir().unwrap());
        let sled = folder.path().join("sled");
        let indexer = Indexer::new(db.pool.clone(), client.clone(), Arc::clone(&config), &sled).unwrap();
        let (state, site) = site_at(now, &config, &db, &client, &indexer, folder.path());
        let search = TestSearch { client, engine: None };
        Self { db, config, search, indexer, state, site, folder }
    }
}
