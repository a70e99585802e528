//! A database per test.
//!
//! One Postgres serves a whole test run: the one named by `LANTERN_TEST_DATABASE_URL`, else a throw-away cluster
//! under the system's temporary folder that the first test starts, all others share, and that ends by itself
//! when no test has used it for a while. Databases are copies of a template, made in milliseconds: a migrated one with nothing in
//! it, or one that the tests of a program filled ([`TestDb::prepared`]).

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

/// Connections of a test: enough for tests of many clients at once.
const CONNECTIONS: u32 = 12;
/// Copies files as they are: a third of the time that copying block by block through the log takes.
const STRATEGY: &str = "strategy file_copy";
/// Key of the advisory lock under which the empty template is made.
const MIGRATING: i64 = 7305;

/// A migrated database that vanishes with this value.
#[derive(Debug)]
pub struct TestDb {
    /// Connections to it.
    pub pool: PgPool,
    /// Its address.
    pub url: String,
    name: String,
    server: server::Server,
}

impl TestDb {
    /// Makes an empty one.
    ///
    /// # Errors
    /// When no Postgres can be reached or started.
    pub async fn create() -> Result<Self> {
        let (server, mut admin) = server::Server::get().await?;
        let template = migrated(&server, &mut admin).await?;
        Self::copy(server, admin, &template).await
    }

    /// Makes one with what `fill` puts into a new one, and copies the files that `fill` leaves in a folder into `folder`, which must
    /// not be there yet. That is done by the first test of a test program that asks for this `content`; all others take copies of it,
    /// also in other processes. A program that was built anew fills its own, so whatever `fill` tests is tested in every run.
    ///
    /// # Errors
    /// When no Postgres can be reached or started, a folder can't be used, or `fill` fails.
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
        // A run that was killed may have left one of the same name.
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
        // A thread of its own: the test's runtime may be single-threaded and is about to end.
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
            tracing::warn!(database = self.name, error = %e, "a test database was left behind");
        }
    }
}

/// The migrated database new ones are copied from, made by the first test of a set of migrations.
async fn migrated(server: &server::Server, admin: &mut PgConnection) -> Result<String> {
    let mut hash = Sha256::new();
    for migration in MIGRATIONS.iter() {
        hash.update(&*migration.checksum);
    }
    let name = format!("lantern_template_{}", short(hash));
    if is_template(admin, &name).await? {
        return Ok(name);
    }
    // Held by one test process at a time.
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

/// Whether there is a whole template of that name: it becomes one as the last thing.
async fn is_template(admin: &mut PgConnection, name: &str) -> Result<bool> {
    let select = "select exists (select from pg_database where datname = $1 and datistemplate)";
    Ok(sqlx::query_scalar(select).bind(name).fetch_one(admin).await?)
}

/// The beginning of a digest, for a name.
fn short(hash: Sha256) -> String {
    hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Database names can't be parameters; ours are made of letters and digits.
async fn run(conn: &mut PgConnection, sql: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await?;
    Ok(())
}
