//! Starts the whole app for one test: a database, an engine folder, the indexer and the real site, which is called in
//! process.

mod actions;
mod area;
pub mod bucket;
pub mod contract;
mod counted;
mod filled;
pub mod mails;
mod moderated;
pub mod openid_provider;
pub mod proof;
mod reply;
pub mod schema;
mod session;
pub mod smtp;
pub mod templates;

use std::{borrow::Cow, net::SocketAddr, path::Path, sync::Arc};

use axum::{
    body::Body,
    http::{Method, Request},
};
use lantern_accounts::sweep;
use lantern_api::{AppState, Parts};
use lantern_catalog::{
    changes::{self, Change},
    outbox,
    seed::{self, SeedOptions},
};
use lantern_config::{Config, Mode};
use lantern_engine::Keys;
use lantern_index::{IndexName, SearchClient, Transport};
use lantern_indexer::Indexer;
use lantern_media::{links::Signer, pictures::Decoder};
use lantern_ratelimit::Limits;
use lantern_site::{Site, SiteState, WebApp};
use lantern_testing::{TestDb, TestSearch};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tower::ServiceExt;

pub use actions::{BROWSER, STAT, count_ok_and_conflicts, done, toasted};
pub use moderated::{SECOND_STEP, code};
pub use reply::Reply;
pub use session::{Session, form_body};

/// Current time in the tests, in Unix seconds.
pub const NOW: i64 = 1_790_000_000;
/// Longest wait for an event. It is far more than a busy machine needs and far less than the minute after which a node
/// polls. `lantern bench takedown` measures the actual delay.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
/// `index.html` of the tests' web app.
pub const SHELL: &str = "<!doctype html><html lang=\"en\"><head><!--head--></head>\
    <body><div id=\"root\"><!--content--></div><!--boot--></body></html>";

pub struct App {
    db: Arc<TestDb>,
    config: Arc<Config>,
    search: TestSearch,
    indexer: Indexer,
    state: SiteState,
    site: Site,
    folder: TempDir,
}

impl App {
    /// Starts with the corpus, already indexed.
    pub async fn start() -> Self {
        Self::configured(|_| {}).await
    }

    /// Starts with the corpus, already indexed, and with changed settings.
    pub async fn configured(change: impl FnOnce(&mut Config)) -> Self {
        let corpus = [include_str!("corpus.sql"), include_str!("community.sql")];
        Self::filled("corpus", change, async |app| app.sql(&corpus.concat()).await).await
    }

    /// Starts with the demo data of `lantern up`, already indexed.
    pub async fn demo() -> Self {
        Self::filled(
            "demo",
            |_| {},
            async |app| {
                let now = time::OffsetDateTime::from_unix_timestamp(NOW).unwrap();
                let options = SeedOptions { now, ..SeedOptions::default() };
                seed::run(app.pool(), Mode::Development, &options, &|_, _| {}).await.unwrap();
            },
        )
        .await
    }

    /// Starts with an empty catalog and no index.
    pub async fn empty(change: impl FnOnce(&mut Config)) -> Self {
        let (config, folder) = settings(change);
        let index = folder.path().join("index");
        Self::open(Arc::new(TestDb::create().await.unwrap()), config, folder, &index).await
    }

    /// Starts with an existing database, and with the index in `index` if it exists.
    async fn open(db: Arc<TestDb>, mut config: Config, folder: TempDir, index: &Path) -> Self {
        let search = TestSearch::open(index, &mut config).await.unwrap();
        let config = Arc::new(config);
        let sled = folder.path().join("sled");
        let indexer = Indexer::new(db.pool.clone(), search.client.clone(), Arc::clone(&config), &sled).unwrap();
        // A copied index is registered in the catalog, and its indexer's checkpoint must name the same epoch.
        let known: Option<i64> =
            sqlx::query_scalar("select epoch from outbox_consumers").fetch_optional(&db.pool).await.unwrap();
        if let Some(epoch) = known {
            indexer.checkpoints().set_epoch(epoch).unwrap();
        }
        // From here on, the outbox retains changes for the index, even if no index is built.
        indexer.join().await.unwrap();
        let (state, site) = site(&config, &db, &search.client, &indexer, folder.path());
        Self { db, config, search, indexer, state, site, folder }
    }

    /// Returns the same site with its search behind HTTP, as with a Meilisearch server. Returns `None` if it already
    /// is.
    pub async fn behind_http(&self) -> Option<Self> {
        let engine = self.search.engine.clone()?;
        let keys = Keys::from_master("a master key of a test");
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut config = Config::clone(&self.config);
        config.search.url = format!("http://{}", listener.local_addr().unwrap());
        let client = Transport::http(&config.search.url, Some(&keys.master)).unwrap();
        let server = engine.router(keys);
        tokio::spawn(async move { axum::serve(listener, server).await });
        let config = Arc::new(config);
        let (db, folder) = (Arc::new(TestDb::create().await.unwrap()), tempfile::tempdir().unwrap());
        let sled = folder.path().join("sled");
        let indexer = Indexer::new(db.pool.clone(), client.clone(), Arc::clone(&config), &sled).unwrap();
        let (state, site) = site(&config, &db, &client, &indexer, folder.path());
        Some(Self { db, config, search: TestSearch { client, engine: None }, indexer, state, site, folder })
    }

    /// Returns another node on the same catalog and index, which Postgres notifies of changes.
    pub async fn another_node(&self) -> Self {
        let (db, folder) = (Arc::clone(&self.db), tempfile::tempdir().unwrap());
        let sled = folder.path().join("sled");
        let client = self.search.client.clone();
        let indexer = Indexer::new(db.pool.clone(), client.clone(), Arc::clone(&self.config), &sled).unwrap();
        let (state, site) = site(&self.config, &db, &client, &indexer, folder.path());
        let (changes, pool) = (indexer.changes(), db.pool.clone());
        let before = changes.generation();
        tokio::spawn({
            let changes = changes.clone();
            async move { changes.follow(&pool, CancellationToken::new()).await }
        });
        // The node is subscribed once it receives a change from the first node.
        while changes.generation() == before {
            let mut conn = self.db.pool.acquire().await.unwrap();
            changes::tell(&mut conn, self.indexer.changes().node(), &Change::Objects(Vec::new())).await.unwrap();
        }
        Self {
            db,
            config: Arc::clone(&self.config),
            search: TestSearch { client, engine: None },
            indexer,
            state,
            site,
            folder,
        }
    }

    /// Serves the site on a separate port until the guard is dropped. Also returns the task.
    pub async fn listen(&self) -> (SocketAddr, DropGuard, JoinHandle<()>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let serving = tokio::spawn(lantern_site::serve(listener, self.site.clone(), stop.clone()));
        (address, stop.drop_guard(), serving)
    }

    /// Returns a node with changed settings on the same catalog and index, or the error at its startup.
    pub fn node_with(&self, change: impl FnOnce(&mut Config)) -> anyhow::Result<SiteState> {
        let mut config = Config::clone(&self.config);
        change(&mut config);
        let (state, tasks) = AppState::new(Parts {
            pool: self.db.pool.clone(),
            search: self.search.client.clone(),
            limits: Arc::clone(&self.state.limits),
            signer: Signer::new(b"secret of the tests"),
            media_root: self.folder.path().join("media"),
            upload_root: self.folder.path().join("uploads"),
            decoder: Decoder::Here,
            changes: self.indexer.changes(),
            health: Arc::default(),
            now: || NOW,
            config: Arc::new(config),
        })?;
        tasks.spawn();
        Ok(SiteState::new(state, web()))
    }

    /// Sends a request to the site.
    pub async fn call(&self, request: Request<Body>) -> Reply {
        Reply::read(self.site.clone().oneshot(request).await.unwrap()).await
    }

    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.call(request.body(Body::empty()).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &[]).await
    }

    /// Requests a path on the operators' port.
    pub async fn watch(&self, path: &str) -> Reply {
        self.watch_at("localhost", path).await
    }

    /// Requests a path on the operators' port with this `Host`.
    pub async fn watch_at(&self, host: &str, path: &str) -> Reply {
        let request = Request::get(path).header("host", host).body(Body::empty()).unwrap();
        let monitor = lantern_monitor::Monitor::new(Arc::clone(&self.state.config), Arc::clone(&self.state.health));
        monitor.open(self.state.app.clone());
        Reply::read(monitor.router().oneshot(request).await.unwrap()).await
    }

    /// Returns the JSON body of the response to a request that must succeed.
    pub async fn json(&self, path: &str) -> serde_json::Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// Returns the ids of the videos in a listing.
    pub async fn ids(&self, path: &str) -> Vec<i64> {
        video_ids(&self.json(path).await)
    }

    /// Runs any SQL.
    pub async fn sql(&self, statements: &str) {
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&self.db.pool).await.unwrap();
    }

    /// Returns the numbers that an SQL query yields, in the query's order.
    pub async fn numbers(&self, query: &str) -> Vec<i64> {
        sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_all(&self.db.pool).await.unwrap()
    }

    /// Returns the debug output of the site's router, which lists its routes.
    pub fn routes(&self) -> String {
        format!("{:?}", self.site)
    }

    pub fn pool(&self) -> &sqlx::PgPool {
        &self.db.pool
    }

    /// Rebuilds every index from the catalog.
    pub async fn reindex(&self) {
        self.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
        self.drain().await;
    }

    /// Applies the outbox.
    pub async fn drain(&self) {
        self.indexer.drain().await.unwrap();
    }

    /// Puts the node into the state after a lost connection to Postgres, in which anything may have changed.
    pub fn deafen(&self) {
        self.indexer.changes().note(&Change::Everything);
    }

    /// Changes rows and brings the index up to date.
    pub async fn change(&self, statements: &str) {
        self.sql(statements).await;
        self.drain().await;
    }

    /// Waits until all searches have been counted.
    pub async fn flush(&self) {
        self.state.flush().await.unwrap();
    }

    /// Runs the tasks that run every minute.
    pub async fn sweep(&self) {
        let lantern_api::Shared { pool, config, now, .. } = &**self.state;
        sweep::sessions(pool, config, now()).await.unwrap();
        sweep::links(pool, now()).await.unwrap();
        sweep::accounts(pool, config, now()).await.unwrap();
        self.state.purger.sweep(&self.state.pool).await.unwrap();
    }

    /// Starts an app that has learned the words of its titles, as every node does at startup.
    pub async fn learned() -> Self {
        let app = Self::start().await;
        app.learn_words().await;
        app
    }

    /// Makes words due and refreshes them.
    pub async fn learn_words(&self) {
        self.sql("update schedules set due_at = now() where name = 'words'").await;
        self.refresh_words().await;
    }

    /// Refreshes the node's words, as each node does after a node has learned them.
    pub async fn refresh_words(&self) {
        let lantern_api::Shared { pool, config, lexicon, .. } = &**self.state;
        lantern_search::refresh::words(pool, config, lexicon, &CancellationToken::new()).await.unwrap();
    }

    /// Generates the sitemaps, as a node does when they are due.
    pub async fn make_sitemaps(&self) {
        lantern_site::sitemap::make(&self.state.pool, &self.state.config).await.unwrap();
    }

    /// Removes orphaned pictures, as the node does every hour.
    pub async fn sweep_pictures(&self) -> usize {
        self.state.pictures.sweep(self.pool(), &self.config.albums, (self.state.now)()).await.unwrap()
    }

    /// Removes pictures of deleted albums, as the node does every hour.
    pub async fn sweep_albums(&self) -> usize {
        self.state.pictures.sweep_albums(self.pool(), &self.config.albums).await.unwrap()
    }

    /// From now on records every queued mail for [`App::queued_mails`], which returns it even after it was sent.
    pub async fn keep_mails(&self) {
        self.sql(
            "create table kept_mails (id serial, mail jsonb);
             create function keep_mail() returns trigger language plpgsql as $$
             begin insert into kept_mails (mail) values (new.payload); return null; end $$;
             create trigger keep_mail after insert on jobs for each row execute function keep_mail();",
        )
        .await;
    }

    /// The queued mails, in order.
    pub async fn queued_mails(&self) -> Vec<serde_json::Value> {
        self.state.mailer.settle().await;
        let select = "select mail from kept_mails order by id";
        sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(&self.db.pool).await.unwrap()
    }

    /// Writes a file into the media folder.
    pub fn media(&self, path: &str, bytes: &[u8]) {
        let path = self.folder.path().join("media").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Whether the test runs its own engine, with its own settings.
    pub fn owns_engine(&self) -> bool {
        self.search.engine.is_some()
    }

    /// Stops the engine but not the site. Returns false if the engine is a configured server, which the test must not
    /// stop.
    pub async fn stop_engine(&self) -> bool {
        let Some(engine) = self.search.engine.clone() else { return false };
        engine.shutdown().await;
        true
    }

    /// Asserts that the outbox is empty and that nothing is parked. Every test ends with this.
    pub async fn finish(self) {
        let lag = outbox::lag(&mut self.db.pool.acquire().await.unwrap()).await.unwrap();
        assert_eq!((lag.waiting, lag.parked), (0, 0), "the outbox is empty");
        self.search.close().await;
    }
}

pub fn video_ids(answer: &serde_json::Value) -> Vec<i64> {
    answer["videos"].as_array().unwrap().iter().map(|card| card["video_id"].as_i64().unwrap()).collect()
}

/// Returns the path of a video list.
pub fn listing(sort: &str, count: u32, file: &str) -> String {
    format!("/api/json/videos2/86400/str/{sort}/{count}/{file}.json")
}

/// Returns the settings for a test, and its data folder.
fn settings(change: impl FnOnce(&mut Config)) -> (Config, TempDir) {
    let mut config = Config::default();
    config.listing.sidebar_min_videos = 60;
    config.listing.sidebar_min_percent = 100;
    // These are placeholders, because the repository contains no real prohibited terms.
    config.safety.prohibited_terms = ["forbidden", "for bidden"].map(str::to_owned).to_vec();
    // Tests query no name server except the one that they start.
    config.crawlers.name_server.clear();
    // Other tests use all cores, so a thread with a lower priority would have to wait.
    config.accounts.argon2.niceness = 0;
    let folder = tempfile::tempdir().unwrap();
    config.data_dir = folder.path().to_owned();
    change(&mut config);
    (config, folder)
}

fn site(
    config: &Arc<Config>,
    db: &TestDb,
    client: &SearchClient,
    indexer: &Indexer,
    folder: &Path,
) -> (SiteState, Site) {
    site_at(|| NOW, config, db, client, indexer, folder)
}

fn site_at(
    now: fn() -> i64,
    config: &Arc<Config>,
    db: &TestDb,
    client: &SearchClient,
    indexer: &Indexer,
    folder: &Path,
) -> (SiteState, Site) {
    let table = config.limits.clone().of(config.mode);
    let limits = Limits::open(&folder.join("limits"), &table, &lantern_ratelimit::system_clock()).unwrap();
    let (state, tasks) = AppState::new(Parts {
        pool: db.pool.clone(),
        search: client.clone(),
        limits: Arc::new(limits),
        signer: Signer::new(b"secret of the tests"),
        media_root: folder.join("media"),
        upload_root: folder.join("uploads"),
        decoder: Decoder::Here,
        changes: indexer.changes(),
        health: Arc::default(),
        now,
        config: Arc::clone(config),
    })
    .unwrap();
    tasks.spawn();
    let state = SiteState::new(state, web());
    (state.clone(), Site::new(state))
}

fn web() -> WebApp {
    let file = |path: &str, text: &'static str| (path.to_owned(), Cow::Borrowed(text.as_bytes()));
    WebApp::from_files([
        file("index.html", SHELL),
        file("assets/index-Bx3kQ9_z.js", "console.log('lantern')"),
        file("assets/lantern.svg", "<svg/>"),
        file("assets/lantern.webmanifest", "{}"),
        file("assets/share.jpg", ""),
        ("favicon.ico".to_owned(), Cow::Borrowed(include_bytes!("../../../../web/public/favicon.ico"))),
    ])
    .unwrap()
}
