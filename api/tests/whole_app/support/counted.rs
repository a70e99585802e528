//! A node whose requests are counted where they reach the engine.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{body::Body, http::Request, middleware};
use lantern_config::Config;
use lantern_engine::Keys;
use lantern_index::{SearchClient, Transport};
use lantern_indexer::Indexer;
use lantern_testing::TestSearch;

use super::{App, NOW, site_at};

/// Requests that reached the engine.
#[derive(Clone, Default)]
pub struct RoundTrips(Arc<AtomicUsize>);

impl RoundTrips {
    /// How many there were since the last time.
    pub fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl App {
    /// Another node on the same catalog and index. `None` where the engine is a server, whose door isn't ours.
    pub fn counted_node(&self) -> Option<(Self, RoundTrips)> {
        let engine = self.search.engine.as_ref()?;
        let keys = Keys::from_master("a master key of a test");
        let master = keys.master.clone();
        let trips = RoundTrips::default();
        let counter = Arc::clone(&trips.0);
        let door = engine.router(keys).layer(middleware::map_request(move |request: Request<Body>| {
            counter.fetch_add(1, Ordering::SeqCst);
            std::future::ready(request)
        }));
        let client = Transport::in_process(door, Some(&master));
        Some((self.node_of(Arc::clone(&self.config), client, || NOW), trips))
    }

    /// The same as if the engine were a Meilisearch server, at the time `now` says.
    pub fn counted_node_of_server(&self, now: fn() -> i64) -> Option<(Self, RoundTrips)> {
        let (counted, trips) = self.counted_node()?;
        let mut config = Config::clone(&self.config);
        // Named, never connected to: requests go through the counted door.
        config.search.url = "http://counted.invalid".to_owned();
        Some((self.node_of(Arc::new(config), counted.search.client, now), trips))
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
