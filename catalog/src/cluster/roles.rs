//! The roles of our own cluster: one owns the database and migrates it, the other one serves visitors.
//!
//! An attacker who gets a statement of their own through the application's connections can change no table, run no program on the
//! server, load no extension and read no password.

use std::path::Path;

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, error::DatabaseError};

use crate::{Error, Result, parse_address};

/// Superuser that initdb makes; only migrations and demo data use it.
pub(super) const SETUP: &str = "lantern_setup";
pub(super) const APPLICATION: &str = "lantern";
pub(super) const DATABASE: &str = "lantern";
/// Lives for a moment: a role can't rename itself.
const RENAMES: &str = "lantern_renames";
/// SQLSTATE for a role that doesn't exist.
const NO_SUCH_ROLE: &str = "28000";

/// Address of a database through the socket.
pub(super) fn address(socket: &Path, role: &str, database: &str) -> String {
    format!("postgres://{role}@localhost/{database}?host={}", socket.display())
}

/// Brings roles and database into their form, also in a cluster of an earlier version, whose one role was a superuser.
pub(super) async fn ensure(socket: &Path) -> Result<()> {
    let setup = address(socket, SETUP, "postgres");
    let mut conn = match connect(&setup).await {
        Err(sqlx::Error::Database(e)) if is_no_such_role(&*e) => {
            rename(socket).await?;
            connect(&setup).await?
        }
        connected => connected?,
    };
    // The server's log is no place for what visitors typed, and what goes wrong in their name is in Lantern's own log.
    let sql = format!(
        "set client_min_messages = warning;
         drop role if exists {RENAMES};
         do $$ begin
             if not exists (select from pg_roles where rolname = '{APPLICATION}') then create role {APPLICATION}; end if;
         end $$;
         alter role {APPLICATION} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
         alter role {APPLICATION} set log_min_messages = 'log'"
    );
    run(&mut conn, sql).await?;
    let exists = sqlx::query_scalar!("select count(*) from pg_database where datname = $1", DATABASE)
        .fetch_one(&mut conn)
        .await?;
    if exists == Some(0) {
        run(&mut conn, format!("create database {DATABASE}")).await?;
    }
    Ok(conn.close().await?)
}

fn is_no_such_role(error: &dyn DatabaseError) -> bool {
    error.code().is_some_and(|code| code == NO_SUCH_ROLE)
}

/// Gives the superuser of an earlier version its name of today, with all it owns. A start that is killed in between goes on
/// here, or with the removal of the helping role.
async fn rename(socket: &Path) -> Result<()> {
    let mut conn = connect(&address(socket, APPLICATION, "postgres")).await?;
    let sql = format!(
        "do $$ begin
             if not exists (select from pg_roles where rolname = '{RENAMES}') then
                 create role {RENAMES} login superuser;
             end if;
         end $$"
    );
    run(&mut conn, sql).await?;
    conn.close().await?;
    let mut conn = connect(&address(socket, RENAMES, "postgres")).await?;
    run(&mut conn, format!("alter role {APPLICATION} rename to {SETUP}")).await?;
    Ok(conn.close().await?)
}

async fn connect(url: &str) -> sqlx::Result<PgConnection> {
    parse_address(url)?.connect().await
}

/// Names can't be parameters; all of them are constants.
async fn run(conn: &mut PgConnection, sql: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await.map_err(Error::from).map(drop)
}
