//! The state shared by all handlers.

use std::{ops::Deref, path::PathBuf, sync::Arc};

use axum::extract::FromRef;
use futures_util::future::BoxFuture;
use lantern_accounts::{
    calls::AccountState, captcha::Captcha, mail::Mailer, openid::OpenId, password::Passwords, viewer::Sessions,
    visitors::Visitors,
};
use lantern_catalog::{changes::Changes, sealed::Seal, tasks::Tasks};
use lantern_config::{Config, Mode};
use lantern_http::{
    cache::{ResponseCache, purge::Purger},
    connections::Connections,
    crawlers::Crawlers,
    file_forms::FileForms,
    health::Health,
    proxies::TrustedProxies,
};
use lantern_index::{SearchClient, text::TermList};
use lantern_media::{
    incoming::Incoming,
    links::Signer,
    pictures::{Decoder, Pictures},
    stores::Stores,
};
use lantern_ratelimit::Limits;
use lantern_search::{
    clicks::Clicks,
    index::{KeywordSource, Keywords, Reader},
    lexicon::Lexicon,
    log::SearchLog,
    searches::Searches,
};
use lantern_uploads::{Intake, Turns};
use sqlx::PgPool;

use crate::{
    access::AccessCheck,
    action::Acts,
    media::{access::MediaAccess, stream_links::StreamLinks},
    sources::Sources,
    views::{page_views::PageViews, queue::Views},
};

/// Dependencies of [`AppState`].
pub struct Parts {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// Index.
    pub search: SearchClient,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Signs links to streams.
    pub signer: Signer,
    /// Folder of pictures and streams.
    pub media_root: PathBuf,
    /// Folder of incoming films.
    pub upload_root: PathBuf,
    /// Decodes pictures of members.
    pub decoder: Decoder,
    /// Changes to the index (`Indexer::changes`).
    pub changes: Changes,
    /// Health of the process.
    pub health: Arc<Health>,
    /// Returns the current time in Unix seconds. Tests pass a different function.
    pub now: fn() -> i64,
}

/// Shared state. A clone is another handle.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// The fields behind [`AppState`].
pub struct Shared {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// Reads lists from the index.
    pub reader: Arc<Reader>,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Signs links to streams.
    pub signer: Signer,
    /// Encrypts and decrypts sealed values in the catalog.
    pub seal: Seal,
    /// Storage of pictures and films.
    pub stores: Stores,
    /// Access to public files.
    pub media_access: Arc<MediaAccess>,
    /// Purges external caches.
    pub purger: Purger,
    /// Stores pictures of members.
    pub pictures: Pictures,
    /// Files of incoming films.
    pub incoming: Incoming,
    /// Serializes requests that append to the same upload.
    pub turns: Turns,
    /// Returns the current time in Unix seconds.
    pub now: fn() -> i64,
    /// Cached responses.
    pub cache: Arc<ResponseCache>,
    /// Keywords in page footers.
    pub keywords: Arc<Keywords>,
    /// Words known to search.
    pub lexicon: Arc<Lexicon>,
    /// Terms that must be neither recorded nor suggested.
    pub prohibited: TermList,
    /// Records queries.
    pub search_log: Arc<SearchLog>,
    /// Records which results are opened.
    pub clicks: Arc<Clicks>,
    /// Counts video views.
    pub views: Views,
    /// Counts page views.
    pub page_views: PageViews,
    /// Identifies unique visitors.
    pub visitors: Visitors,
    /// Proxies whose forwarding headers are trusted.
    pub proxies: TrustedProxies,
    /// Health of the process.
    pub health: Arc<Health>,
    /// Limits on open connections.
    pub connections: Arc<Connections>,
    /// Forms with files that are being received.
    pub file_forms: FileForms,
    /// Search engines exempt from the age gate.
    pub crawlers: Arc<Crawlers>,
    /// Creates and verifies password hashes.
    pub passwords: Arc<Passwords>,
    /// Queues mails.
    pub mailer: Mailer,
    /// Verifies captchas.
    pub captcha: Arc<Captcha>,
    /// OpenID sign-in, if configured.
    pub openid: Option<Arc<OpenId>>,
}

impl AppState {
    /// Creates the state and the tasks that record searches, deliver mails and purge external caches.
    ///
    /// # Errors
    /// Fails if `server.trusted_proxies` or `crawlers.name_server` contains an invalid address, if `mail` contains an invalid sender or
    /// server, if `purge` contains an invalid method or header, or if `storage` contains an invalid bucket.
    pub fn new(parts: Parts) -> anyhow::Result<(Self, Tasks)> {
        let proxies = TrustedProxies::parse(&parts.config.server.trusted_proxies).map_err(anyhow::Error::msg)?;
        let crawlers = Crawlers::new(&parts.config.crawlers)?;
        let hidden = parts.config.mode == Mode::Production && !parts.config.visitors.age_gate_countries.is_empty();
        if hidden && !crawlers.can_verify() {
            tracing::warn!(
                "search engines can't be verified, so they all see the age gate instead of the pages; \
                 set crawlers.name_server or ranges of crawlers.engines"
            );
        }
        let prohibited = TermList::of(&parts.config.safety);
        let (purger, purging) = Purger::new(parts.pool.clone(), &parts.config.purge)?;
        let (mailer, delivering) = Mailer::new(parts.pool.clone(), &parts.config)?;
        let views = Views::new(parts.pool.clone(), &parts.config.views, parts.now);
        let (search_log, logging) =
            SearchLog::new(parts.pool.clone(), &parts.config.search_log, prohibited.clone(), parts.now)?;
        let changes = || parts.changes.clone();
        let keywords = KeywordSource {
            pool: parts.pool.clone(),
            search: parts.search.clone(),
            config: Arc::clone(&parts.config),
            prohibited: prohibited.clone(),
            now: parts.now,
        };
        let stores = Stores::new(&parts.config, parts.media_root, parts.pool.clone())?;
        let tasks = Tasks([delivering, logging].into_iter().chain(purging).collect());
        let state = Self(Arc::new(Shared {
            pictures: Pictures::new(stores.clone(), parts.config.pictures.clone(), parts.decoder),
            stores,
            media_access: Arc::new(MediaAccess::new(parts.pool.clone(), changes(), &parts.config.media)),
            purger,
            incoming: Incoming::new(parts.upload_root),
            turns: Turns::default(),
            cache: Arc::new(ResponseCache::new(&parts.config, changes())),
            reader: Arc::new(Reader::new(&parts.search, &parts.changes, &parts.config, parts.now)),
            keywords: Arc::new(Keywords::new(keywords)),
            lexicon: Arc::new(Lexicon::new(prohibited.clone())),
            clicks: Arc::default(),
            search_log: Arc::new(search_log),
            prohibited,
            views,
            page_views: PageViews::default(),
            visitors: Visitors::new(&parts.signer),
            seal: parts.signer.seal(),
            connections: Arc::new(Connections::new(&parts.config, proxies.clone())),
            file_forms: FileForms::new(&parts.config.server),
            proxies,
            crawlers: Arc::new(crawlers),
            passwords: Arc::new(Passwords::new(&parts.config.accounts.argon2)?),
            mailer,
            openid: OpenId::new(&parts.config, &parts.signer, parts.now)?.map(Arc::new),
            captcha: Arc::new(Captcha::new(&parts.config, parts.pool.clone(), parts.signer.key("captcha"), parts.now)?),
            config: parts.config,
            pool: parts.pool,
            limits: parts.limits,
            signer: parts.signer,
            health: parts.health,
            now: parts.now,
        }));
        Ok((state, tasks))
    }
}

/// Implements `FromRef` for parts of the state, so that handlers and extractors can take a part instead of the whole.
macro_rules! state_parts {
    ($state:ident: $($part:ty => $value:expr,)*) => {$(
        impl FromRef<AppState> for $part {
            fn from_ref($state: &AppState) -> Self {
                $value
            }
        }
    )*};
}

state_parts! { state:
    PgPool => state.pool.clone(),
    Arc<Config> => Arc::clone(&state.config),
    TrustedProxies => state.proxies.clone(),
    Arc<Limits> => Arc::clone(&state.limits),
    Arc<Keywords> => Arc::clone(&state.keywords),
    Arc<MediaAccess> => Arc::clone(&state.media_access),
    TermList => state.prohibited.clone(),
    Sessions => Sessions { config: Arc::clone(&state.config), pool: state.pool.clone(), now: state.now },
    AccessCheck => AccessCheck {
        config: Arc::clone(&state.config),
        proxies: state.proxies.clone(),
        sessions: Sessions::from_ref(state),
        limits: Arc::clone(&state.limits),
        crawlers: Arc::clone(&state.crawlers),
    },
    Sources => Sources {
        config: Arc::clone(&state.config),
        cache: Arc::clone(&state.cache),
        pool: state.pool.clone(),
        reader: Arc::clone(&state.reader),
    },
    Searches => Searches {
        pool: state.pool.clone(),
        reader: Arc::clone(&state.reader),
        lexicon: Arc::clone(&state.lexicon),
        clicks: Arc::clone(&state.clicks),
        log: Arc::clone(&state.search_log),
        limits: Arc::clone(&state.limits),
    },
    StreamLinks => StreamLinks { config: Arc::clone(&state.config), signer: state.signer.clone(), now: state.now },
    Arc<Captcha> => Arc::clone(&state.captcha),
    AccountState => AccountState {
        config: Arc::clone(&state.config),
        pool: state.pool.clone(),
        limits: Arc::clone(&state.limits),
        prohibited: state.prohibited.clone(),
        passwords: Arc::clone(&state.passwords),
        captcha: Arc::clone(&state.captcha),
        openid: state.openid.clone(),
        mailer: state.mailer.clone(),
        pictures: state.pictures.clone(),
        now: state.now,
    },
    Acts => Acts {
        config: Arc::clone(&state.config),
        pool: state.pool.clone(),
        limits: Arc::clone(&state.limits),
        prohibited: state.prohibited.clone(),
        now: state.now,
    },
    Intake => Intake {
        config: Arc::clone(&state.config),
        pool: state.pool.clone(),
        incoming: state.incoming.clone(),
        stores: state.stores.clone(),
        turns: state.turns.clone(),
        limits: Arc::clone(&state.limits),
        now: state.now,
    },
}

impl AppState {
    /// Returns named tasks that flush buffered data and send due messages before a node stops. The tasks are independent, so one that
    /// blocks doesn't hold up the others.
    pub fn flushes(&self) -> Vec<(&'static str, BoxFuture<'_, anyhow::Result<()>>)> {
        vec![
            ("views", Box::pin(self.views.flush())),
            ("page views", Box::pin(async { Ok(self.page_views.flush(&self.pool).await?) })),
            ("mails", Box::pin(self.mailer.flush())),
            ("purges", Box::pin(self.purger.flush())),
            ("searches", Box::pin(self.search_log.flush())),
        ]
    }

    /// Runs all of [`AppState::flushes`], one after the other.
    ///
    /// # Errors
    /// Returns the first failure, after trying all of them.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let mut outcome = Ok(());
        for (_, flush) in self.flushes() {
            let flushed = flush.await;
            outcome = outcome.and(flushed);
        }
        outcome
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
