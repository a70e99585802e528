//! A database per test.
//!
//! One Postgres serves a whole test run: the one named by `LANTERN_TEST_DATABASE_URL`, else a throw-away cluster
//! under the system's temporary folder that the first test starts, all others share, and that ends by itself
//! when no test has used it for a while. Databases are copies of a migrated template, made in milliseconds.

mod server;

use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Result;
use lantern_catalog::{MIGRATIONS, connect, migrate};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

/// Connections of a test: enough for tests of many clients at once.
const CONNECTIONS: u32 = 12;

/// A migrated, empty database that vanishes with this value.
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
    /// Makes a database.
    ///
    /// # Errors
    /// When no Postgres can be reached or started.
    pub async fn create() -> Result<Self> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let server = server::Server::get().await?;
        let template = template(&server).await?;
        let name = format!("lantern_test_{}_{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let mut admin = PgConnection::connect(&server.admin_url).await?;
        // A run that was killed may have left one of the same name.
        run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
        run(&mut admin, format!("create database {name} template {template}")).await?;
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
async fn template(server: &server::Server) -> Result<String> {
    let mut hash = Sha256::new();
    for migration in MIGRATIONS.iter() {
        hash.update(&*migration.checksum);
    }
    let hash = hash.finalize();
    let name = format!("lantern_template_{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3]);
    let mut admin = PgConnection::connect(&server.admin_url).await?;
    // Held by one test process at a time; released when the connection closes.
    run(&mut admin, "select pg_advisory_lock(7305)".to_owned()).await?;
    let ready: bool =
        sqlx::query_scalar("select exists (select from pg_database where datname = $1 and datistemplate)")
            .bind(&name)
            .fetch_one(&mut admin)
            .await?;
    if !ready {
        run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
        run(&mut admin, format!("create database {name}")).await?;
        let pool = connect(&server.database_url(&name)?, CONNECTIONS).await?;
        migrate(&pool).await?;
        pool.close().await;
        run(&mut admin, format!("alter database {name} is_template true")).await?;
    }
    admin.close().await?;
    Ok(name)
}

/// Database names can't be parameters; ours are made of letters and digits.
async fn run(conn: &mut PgConnection, sql: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await?;
    Ok(())
}
