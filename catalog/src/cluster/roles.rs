//! Roles in the embedded cluster: one owns the database and migrates it, and the other serves visitors.
//!
//! An attacker who injects SQL through the application's connections can alter no table, run no program on the server,
//! load no extension and read no password.

use std::path::Path;

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, error::DatabaseError};

use crate::{Error, Result, parse_address};

/// Superuser created by `initdb`, which is used only for migrations and demo data.
pub(super) const SETUP: &str = "lantern_setup";
pub(super) const APPLICATION: &str = "lantern";
pub(super) const DATABASE: &str = "lantern";
/// Temporary role, needed because a role can't rename itself.
const RENAME_ROLE: &str = "lantern_renames";
/// SQLSTATE for a role that doesn't exist.
const NO_SUCH_ROLE: &str = "28000";

/// Returns the URL of a database, to be reached through the socket.
pub(super) fn address(socket: &Path, role: &str, database: &str) -> String {
    format!("postgres://{role}@localhost/{database}?host={}", socket.display())
}

/// Creates or updates the roles and the database. Also migrates clusters from an earlier version, whose only role was a
/// superuser.
pub(super) async fn ensure(socket: &Path) -> Result<()> {
    let setup = address(socket, SETUP, "postgres");
    let mut conn = match connect(&setup).await {
        Err(sqlx::Error::Database(e)) if is_no_such_role(&*e) => {
            rename(socket).await?;
            connect(&setup).await?
        }
        connected => connected?,
    };
    // Visitors' input must not get into the server's log. Errors of the application role are in Lantern's own log.
    let sql = format!(
        "set client_min_messages = warning;
         drop role if exists {RENAME_ROLE};
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

/// Gives the superuser of an earlier version, who owns everything, its current name. An interrupted start resumes here
/// or at the removal of the temporary role.
async fn rename(socket: &Path) -> Result<()> {
    let mut conn = connect(&address(socket, APPLICATION, "postgres")).await?;
    let sql = format!(
        "do $$ begin
             if not exists (select from pg_roles where rolname = '{RENAME_ROLE}') then
                 create role {RENAME_ROLE} login superuser;
             end if;
         end $$"
    );
    run(&mut conn, sql).await?;
    conn.close().await?;
    let mut conn = connect(&address(socket, RENAME_ROLE, "postgres")).await?;
    run(&mut conn, format!("alter role {APPLICATION} rename to {SETUP}")).await?;
    Ok(conn.close().await?)
}

async fn connect(url: &str) -> sqlx::Result<PgConnection> {
    parse_address(url)?.connect().await
}

/// Runs SQL whose identifiers can't be passed as parameters. All of them are constants.
async fn run(conn: &mut PgConnection, sql: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await.map_err(Error::from).map(drop)
}
