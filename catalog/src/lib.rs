//! The catalog: everything Lantern knows, in Postgres. All SQL of the product lives in this crate.
//!
//! Reading order: `migrations/` (the schema and why it is so), [`outbox`] (how changes reach the index), [`consumers`] (which),
//! [`parked`] (those it refuses), [`changes`] (how caches hear of them), [`videos`], [`albums`], [`playlists`], [`members`] (one object
//! with its company, for its page), [`community`] (comments, walls, friends, subscriptions), [`accounts`] and [`sessions`] (who is
//! signed in), [`actions`] (what members do), [`views`] (what is watched), [`own`], [`history`], [`mutes`], [`messages`], [`blocks`], [`friends`],
//! [`profiles`], [`profile_reviews`], [`managed`], [`own_albums`] (what is a member's own), [`uploads`], [`films`] and [`imports`] (what comes in), [`reports`], [`prints`] and
//! [`moderation`], [`limits`] (counts that nodes share),
//! [`documents`] (bulk rows for the indexer), [`sitemap`] (pages for search engines), [`media`] (who shows a file), [`purges`] (what
//! caches outside are told), [`premium`], [`list_texts`] and [`page_views`] (the site's business), [`seed`] (demo data), [`cluster`] (a Postgres of our own).

pub mod access;
pub mod account_export;
pub mod account_removal;
pub mod accounts;
pub mod actions;
pub mod albums;
pub mod blocks;
pub mod captchas;
pub mod changes;
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
pub mod jobs;
pub mod keywords;
pub mod limits;
pub mod list_texts;
pub mod mail_queue;
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
pub mod storage;
pub mod threads;
pub mod uploads;
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

/// Every migration, embedded; they are only ever added.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// How long to wait for a server that doesn't answer, or for a connection of a busy pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// No server restarts faster than that, and a busy pool rests its connections for less.
const RESTED: Duration = Duration::from_millis(200);
/// The setup, migrations and the demo data take seconds where other programs want the processor too; a page's statements take
/// milliseconds.
const SLOW: Duration = Duration::from_secs(10);

/// Opens a pool of at most `max_connections` and checks that the server answers. Few are enough: listings come from
/// the index.
///
/// # Errors
/// [`Error::Url`] for an address that can't be read, [`Error::Unreachable`] when no server answers within 5 s.
pub async fn connect(url: &str, max_connections: u32) -> Result<PgPool> {
    let options = parse_address(url).map_err(Error::Url)?;
    let place = describe(&options);
    pool_options(max_connections).connect_with(options).await.map_err(|source| Error::Unreachable { place, source })
}

/// Parses a server's address; a statement is reported as slow after [`SLOW`].
fn parse_address(url: &str) -> sqlx::Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    Ok(options.log_slow_statements(LevelFilter::Warn, SLOW))
}

fn pool_options(max_connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(Duration::from_secs(600))
        // A round trip per borrow. Only a connection that has rested is tested: its server may have been restarted meanwhile.
        .test_before_acquire(false)
        .before_acquire(|conn, about| {
            let rested = about.idle_for >= RESTED;
            Box::pin(async move { Ok(!rested || conn.ping().await.is_ok()) })
        })
}

/// A transaction for reading in which everything is as of one moment.
pub async fn snapshot(pool: &PgPool) -> Result<Transaction<'static, Postgres>> {
    Ok(pool.begin_with("begin isolation level repeatable read read only").await?)
}

/// Where a server was expected, without the password.
fn describe(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(socket) => format!("socket {}, port {}", socket.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

/// Runs a statement of which nobody asks what it changed.
async fn run(query: Query<'_, Postgres, PgArguments>, db: impl PgExecutor<'_>) -> Result<()> {
    query.execute(db).await?;
    Ok(())
}

/// Brings the schema up to date, as the role that owns it.
///
/// # Errors
/// [`Error::Migrate`] when a migration fails or the database was migrated by a newer Lantern.
pub async fn migrate(pool: &PgPool) -> Result<()> {
    MIGRATIONS.run(pool).await.map_err(Error::Migrate)
}
