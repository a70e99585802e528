//! Creates a database for each test.
//!
//! One Postgres serves the whole test run. It is the server at `LANTERN_TEST_DATABASE_URL` or, if that is not set, a throw-away cluster in
//! the system's temporary folder. The first test starts this cluster, all others share it, and it stops after a while without tests.
//! Databases are copied from templates within milliseconds. A template is either empty and migrated, or filled by a test program
//! ([`TestDb::prepared`]).

mod prepared;
mod server;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use anyhow::Result;
use lantern_catalog::{MIGRATIONS, connect, migrate};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

/// Pool size for a test. It is enough for tests with many concurrent clients.
const CONNECTIONS: u32 = 12;
/// Copies files directly, which takes a third of the time of copying blocks through the write-ahead log.
const STRATEGY: &str = "strategy file_copy";
/// Advisory lock held while the empty template is created.
const MIGRATING: i64 = 7305;

/// A migrated database, which is dropped together with this value.
#[derive(Debug)]
pub struct TestDb {
    /// Connection pool.
    pub pool: PgPool,
    /// Connection URL.
    pub url: String,
    name: String,
    server: server::Server,
}

impl TestDb {
    /// Creates an empty database.
    ///
    /// # Errors
    /// If no Postgres can be reached or started.
    pub async fn create() -> Result<Self> {
        let (server, mut admin) = server::Server::get().await?;
        let template = migrated(&server, &mut admin).await?;
        Self::copy(server, admin, &template).await
    }

    /// Creates a database with the content written by `fill`, and copies the files that `fill` leaves in its folder to `folder`, which must
    /// not exist yet. `fill` runs in the first test of a test program that requests this `content`. All others, including those in other
    /// processes, get copies. A rebuilt program runs `fill` again, so what `fill` exercises is tested again whenever the code changes.
    ///
    /// # Errors
    /// If no Postgres can be reached or started, a folder is unusable, or `fill` fails.
    pub async fn prepared(
        content: &str,
        folder: &Path,
        fill: impl AsyncFnOnce(Arc<Self>, &Path) -> Result<()>,
    ) -> Result<Self> {
        let (server, mut admin) = server::Server::get().await?;
        let prepared = prepared::find(&server, &mut admin, content, fill).await?;
        prepared::copy_folder(&prepared.folder, folder)?;
        Self::copy(server, admin, &prepared.database).await
    }

    async fn copy(server: server::Server, mut admin: PgConnection, template: &str) -> Result<Self> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let name = format!("lantern_test_{}_{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        // A killed run may have left behind a database with the same name.
        run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
        run(&mut admin, format!("create database {name} template {template} {STRATEGY}")).await?;
        admin.close().await?;
        let url = server.database_url(&name)?;
        let pool = connect(&url, CONNECTIONS).await?;
        Ok(Self { pool, url, name, server })
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        let (url, name) = (self.server.admin_url.clone(), self.name.clone());
        // This uses a separate thread, because the test's runtime may be single-threaded and is about to end.
        let dropped = std::thread::spawn(move || -> Result<()> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut admin = PgConnection::connect(&url).await?;
                run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
                Ok(admin.close().await?)
            })
        })
        .join();
        if let Ok(Err(e)) = dropped {
            tracing::warn!(database = self.name, error = %e, "could not drop a test database");
        }
    }
}

/// Returns the migrated template, which the first test that uses this set of migrations creates.
async fn migrated(server: &server::Server, admin: &mut PgConnection) -> Result<String> {
    let mut hash = Sha256::new();
    for migration in MIGRATIONS.iter() {
        hash.update(&*migration.checksum);
    }
    let name = format!("lantern_template_{}", short(hash));
    if is_template(admin, &name).await? {
        return Ok(name);
    }
    run(admin, format!("select pg_advisory_lock({MIGRATING})")).await?;
    if !is_template(admin, &name).await? {
        run(admin, format!("drop database if exists {name} with (force)")).await?;
        run(admin, format!("create database {name}")).await?;
        let pool = connect(&server.database_url(&name)?, CONNECTIONS).await?;
        migrate(&pool).await?;
        pool.close().await;
        run(admin, format!("alter database {name} is_template true")).await?;
    }
    run(admin, format!("select pg_advisory_unlock({MIGRATING})")).await?;
    Ok(name)
}

/// Whether a complete template with this name exists. Marking it as a template is the last step of its creation.
async fn is_template(admin: &mut PgConnection, name: &str) -> Result<bool> {
    let select = "select exists (select from pg_database where datname = $1 and datistemplate)";
    Ok(sqlx::query_scalar(select).bind(name).fetch_one(admin).await?)
}

/// Returns the start of a digest, for names.
fn short(hash: Sha256) -> String {
    hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a statement. Database names cannot be bound parameters. The names used here consist of letters, digits and underscores.
async fn run(conn: &mut PgConnection, sql: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await?;
    Ok(())
}
