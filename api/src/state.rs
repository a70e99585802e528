//! What every handler can reach.

use std::{ops::Deref, path::PathBuf, sync::Arc};

use axum::extract::FromRef;
use futures_util::future::BoxFuture;
use lantern_catalog::{changes::Changes, sealed::Seal, tasks::Tasks};
use lantern_config::{Config, Mode};
use lantern_http::{
    cache::{ResponseCache, purge::Purger},
    connections::Connections,
    crawlers::Crawlers,
    file_forms::FileForms,
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
use sqlx::PgPool;

use crate::{
    access::AccessCheck,
    account::{captcha::Captcha, links::LinkMailer, mail::Mailer, openid::OpenId, password::Passwords},
    action::Acts,
    media::{access::MediaAccess, stream_links::StreamLinks},
    moderate::seal::seal,
    monitor::{health::Health, jobs::JobFigures},
    page::list_texts::ListTexts,
    session::Sessions,
    sources::Sources,
    upload::{Intake, turns::Turns},
    view::{page_views::PageViews, queue::Views, visitors::Visitors},
    web::WebApp,
};

/// What the API is built from.
pub struct Parts {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog; listings never use it.
    pub pool: PgPool,
    /// Index.
    pub search: SearchClient,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Signs links to streams.
    pub signer: Signer,
    /// Folder of pictures and streams.
    pub media_root: PathBuf,
    /// Folder of films on their way in.
    pub upload_root: PathBuf,
    /// Where pictures of members are decoded.
    pub decoder: Decoder,
    /// What changed in the index (`Indexer::changes`).
    pub changes: Changes,
    /// The web app (`WebApp::embedded`).
    pub web: WebApp,
    /// What the process says of itself.
    pub health: Arc<Health>,
    /// The time in unix seconds; tests pass their own.
    pub now: fn() -> i64,
}

/// The shared state; a clone is another handle.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// The fields behind [`AppState`].
pub struct Shared {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// What lists are read from.
    pub reader: Arc<Reader>,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Signs links to streams.
    pub signer: Signer,
    /// Opens and closes what lies sealed in the catalog.
    pub seal: Seal,
    /// Where pictures and films are.
    pub stores: Stores,
    /// Which files may be shown.
    pub media_access: Arc<MediaAccess>,
    /// Tells caches outside.
    pub purger: Purger,
    /// Takes in pictures of members.
    pub pictures: Pictures,
    /// Films on their way in.
    pub incoming: Incoming,
    /// Which request appends to which of them.
    pub turns: Turns,
    /// The web app.
    pub web: WebApp,
    /// The time in unix seconds.
    pub now: fn() -> i64,
    /// Finished answers.
    pub cache: Arc<ResponseCache>,
    /// Words at the foot of pages.
    pub keywords: Arc<Keywords>,
    /// What operators say below lists.
    pub list_texts: ListTexts,
    /// What searches know of words.
    pub lexicon: Arc<Lexicon>,
    /// What may be neither recorded nor suggested.
    pub prohibited: TermList,
    /// What is searched.
    pub search_log: Arc<SearchLog>,
    /// What is opened after a search.
    pub clicks: Arc<Clicks>,
    /// What is watched.
    pub views: Views,
    /// Which pages are visited.
    pub page_views: PageViews,
    /// Who counts as one.
    pub visitors: Visitors,
    /// Whose forwarding headers are believed.
    pub proxies: TrustedProxies,
    /// What recurring work did.
    pub jobs: JobFigures,
    /// What the process says of itself.
    pub health: Arc<Health>,
    /// Connections that are held.
    pub connections: Arc<Connections>,
    /// Forms with pictures that come in.
    pub file_forms: FileForms,
    /// Search engines that meet no age gate.
    pub crawlers: Arc<Crawlers>,
    /// Makes and checks hashes of passwords.
    pub passwords: Passwords,
    /// Mails on their way out.
    pub mailer: Mailer,
    /// Tells people from robots.
    pub captcha: Captcha,
    /// Sign-in elsewhere, when it is configured.
    pub openid: Option<OpenId>,
}

impl AppState {
    /// The state, and the tasks that write searches, send mails and tell caches outside.
    ///
    /// # Errors
    /// When `server.trusted_proxies` or `crawlers.name_server` holds something that is no address, `mail` no sender or server, `purge` no method or header, `storage` no bucket.
    pub fn new(parts: Parts) -> anyhow::Result<(Self, Tasks)> {
        let proxies = TrustedProxies::parse(&parts.config.server.trusted_proxies).map_err(anyhow::Error::msg)?;
        let crawlers = Crawlers::new(&parts.config.crawlers)?;
        let hidden = parts.config.mode == Mode::Production && !parts.config.visitors.age_gate_countries.is_empty();
        if hidden && !crawlers.can_verify() {
            tracing::warn!(
                "no search engine can be verified, so all of them read the age gate instead of the pages; \
                 set crawlers.name_server or ranges of crawlers.engines"
            );
        }
        let prohibited = TermList::of(&parts.config.safety);
        let (purger, telling) = Purger::new(parts.pool.clone(), &parts.config.purge)?;
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
        let tasks = Tasks([delivering, logging].into_iter().chain(telling).collect());
        let state = Self(Arc::new(Shared {
            stores: Stores::new(&parts.config, parts.media_root.clone(), parts.pool.clone())?,
            media_access: Arc::new(MediaAccess::new(parts.pool.clone(), changes(), &parts.config.media)),
            purger,
            incoming: Incoming::new(parts.upload_root),
            turns: Turns::default(),
            cache: Arc::new(ResponseCache::new(&parts.config, changes())),
            reader: Arc::new(Reader::new(&parts.search, &parts.changes, &parts.config, parts.now)),
            keywords: Arc::new(Keywords::new(keywords)),
            list_texts: ListTexts::default(),
            lexicon: Arc::new(Lexicon::new(prohibited.clone())),
            clicks: Arc::default(),
            search_log: Arc::new(search_log),
            prohibited,
            views,
            page_views: PageViews::default(),
            visitors: Visitors::new(&parts.signer),
            seal: seal(&parts.signer),
            jobs: JobFigures::default(),
            connections: Arc::new(Connections::new(&parts.config, proxies.clone())),
            file_forms: FileForms::new(&parts.config.server),
            proxies,
            crawlers: Arc::new(crawlers),
            passwords: Passwords::new(&parts.config.accounts.argon2)?,
            pictures: Pictures::new(parts.media_root, parts.config.pictures.clone(), parts.decoder),
            mailer,
            openid: OpenId::new(&parts.config, &parts.signer, parts.now)?,
            captcha: Captcha::new(&parts.config, parts.pool.clone(), parts.signer.key("captcha"), parts.now)?,
            config: parts.config,
            pool: parts.pool,
            limits: parts.limits,
            signer: parts.signer,
            web: parts.web,
            health: parts.health,
            now: parts.now,
        }));
        Ok((state, tasks))
    }
}

/// `FromRef` for parts of the state, which handlers and readers of requests may take instead of the whole.
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
    LinkMailer => LinkMailer { config: Arc::clone(&state.config), mailer: state.mailer.clone(), now: state.now },
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
        limits: Arc::clone(&state.limits),
        now: state.now,
    },
}

impl AppState {
    /// Writes what is still to be written and sends what is due; the last thing before a node ends. Each part by itself, with its
    /// name: what one of them waits for holds up no other.
    pub fn flushes(&self) -> Vec<(&'static str, BoxFuture<'_, anyhow::Result<()>>)> {
        vec![
            ("views", Box::pin(self.views.flush())),
            ("visits of pages", Box::pin(async { Ok(self.page_views.flush(&self.pool).await?) })),
            ("mails", Box::pin(self.mailer.flush())),
            ("purges", Box::pin(self.purger.flush())),
            ("searches", Box::pin(self.search_log.flush())),
        ]
    }

    /// All of [`AppState::flushes`], one after the other.
    ///
    /// # Errors
    /// The first failure; what follows is tried nevertheless.
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
