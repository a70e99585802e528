//! The catalog: all persistent data of Lantern, in Postgres. All SQL in the product is in this crate.
//!
//! Suggested reading order:
//!
//! - `migrations/`: the schema and its rationale
//! - [`outbox`], [`consumers`], [`parked`]: how changes reach the indexes, which indexes exist, and what happens to
//!   changes that the indexes refuse
//! - [`changes`], [`purges`]: invalidation of internal and external caches
//! - [`videos`], [`albums`], [`playlists`], [`members`]: single objects with related data, for their pages
//! - [`community`]: friends and subscriptions
//! - [`accounts`], [`sessions`]: sign-in
//! - [`actions`], [`views`]: what members do and watch
//! - [`own`], [`history`], [`mutes`], [`messages`], [`blocks`], [`friends`], [`profiles`], [`profile_reviews`],
//!   [`managed`], [`own_albums`]: the member area
//! - [`queue`]: jobs, such as films to encode and mails to send
//! - [`uploads`], [`films`], [`captions`], [`imports`]: incoming content
//! - [`reports`], [`prints`], [`moderation`]: moderation
//! - [`status`]: states of uploads and members
//! - [`limits`]: rate limit counters shared by all nodes
//! - [`documents`]: bulk rows for the indexer
//! - [`sitemap`], [`media`]: sitemaps, and visibility of files
//! - [`premium`], [`list_texts`], [`page_views`]: site operation
//! - [`seed`], [`cluster`]: demo data, and the embedded Postgres

pub mod access;
pub mod account_export;
pub mod account_removal;
pub mod accounts;
pub mod actions;
pub mod albums;
pub mod audio_tracks;
pub mod blocks;
pub mod captchas;
pub mod captions;
pub mod changes;
pub mod chapters;
pub mod cluster;
pub mod community;
pub mod consumers;
pub mod counters;
pub mod digests;
pub mod documents;
pub mod erasure;
mod error;
pub mod films;
pub mod fingerprints;
pub mod friends;
pub mod history;
pub mod imports;
pub mod keywords;
pub mod limits;
pub mod list_texts;
pub mod mail_tokens;
pub mod managed;
pub mod meanings;
pub mod media;
pub mod members;
pub mod messages;
pub mod moderation;
pub mod mutes;
pub mod names;
pub mod notifications;
pub mod openid;
pub mod originals;
pub mod outbox;
pub mod own;
pub mod own_albums;
pub mod page_views;
pub mod parked;
pub mod playlists;
pub mod premium;
pub mod prints;
pub mod profile_reviews;
pub mod profiles;
pub mod purges;
pub mod queue;
pub mod reports;
mod rights;
pub mod room;
pub mod schedules;
pub mod sealed;
pub mod search_clicks;
pub mod search_log;
pub mod seed;
pub mod sessions;
pub mod sitemap;
pub mod sitemap_parts;
pub mod status;
pub mod storage;
pub mod tasks;
pub mod threads;
pub mod uploads;
pub mod video_codec;
pub mod videos;
pub mod views;
pub mod words;

use std::time::Duration;

use log::LevelFilter;
use sqlx::{
    ConnectOptions, Connection, PgExecutor, PgPool, Postgres, Transaction,
    postgres::{PgArguments, PgConnectOptions, PgPoolOptions},
    query::Query,
};

pub use error::{Error, Result};
pub use rights::grant;

/// All migrations, embedded in the program. They are append-only.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// Timeout for connecting to the server, or for getting a connection from a busy pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Idle time after which a pooled connection is tested before use. No server restarts faster than this, and in a busy
/// pool connections are idle for less.
const IDLE_BEFORE_TEST: Duration = Duration::from_millis(200);
/// Statements that take longer than this are logged as slow. Setup, migrations and demo data take seconds on a busy
/// machine, whereas the statements of a page take milliseconds.
const SLOW_STATEMENT: Duration = Duration::from_secs(10);

/// Opens a pool of at most `max_connections` and checks that the server responds. A few connections are enough, because
/// listings come from the index.
///
/// # Errors
/// [`Error::Url`] if the URL can't be parsed, [`Error::Unreachable`] if no server responds within 5 s.
pub async fn connect(url: &str, max_connections: u32) -> Result<PgPool> {
    let options = parse_address(url).map_err(Error::Url)?;
    let place = describe(&options);
    pool_options(max_connections).connect_with(options).await.map_err(|source| Error::Unreachable { place, source })
}

/// Parses a database URL. Statements slower than [`SLOW_STATEMENT`] will be logged.
fn parse_address(url: &str) -> sqlx::Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    Ok(options.log_slow_statements(LevelFilter::Warn, SLOW_STATEMENT))
}

fn pool_options(max_connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(Duration::from_secs(600))
        // A test costs a round trip each time a connection is borrowed, so only connections that have been idle are
        // tested. Their server may have restarted in the meantime.
        .test_before_acquire(false)
        .before_acquire(|conn, about| {
            let was_idle = about.idle_for >= IDLE_BEFORE_TEST;
            Box::pin(async move { Ok(!was_idle || conn.ping().await.is_ok()) })
        })
}

/// Begins a read-only transaction that sees one consistent snapshot.
pub async fn snapshot(pool: &PgPool) -> Result<Transaction<'static, Postgres>> {
    Ok(pool.begin_with("begin isolation level repeatable read read only").await?)
}

/// Returns the location of the server, without the password.
fn describe(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(socket) => format!("socket {}, port {}", socket.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

/// Runs a statement whose result doesn't matter.
async fn run(query: Query<'_, Postgres, PgArguments>, db: impl PgExecutor<'_>) -> Result<()> {
    query.execute(db).await?;
    Ok(())
}

/// Migrates the schema, as the role that owns it.
///
/// # Errors
/// [`Error::Migrate`] if a migration fails or the database was migrated by a newer Lantern.
pub async fn migrate(pool: &PgPool) -> Result<()> {
    MIGRATIONS.run(pool).await.map_err(Error::Migrate)
}
