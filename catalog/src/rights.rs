//! Privileges of the application role: it may read and write rows, but only append decisions.

use sqlx::{AssertSqlSafe, PgPool};

use crate::{Error, Result};

/// Arbitrary constant for an advisory lock, which serializes nodes that start at the same time.
const LOCK: i64 = 7307;

/// Grants the role read and write access to the rows of every table, except that decisions can only be read and
/// appended. Does nothing if the access is already granted, so it can be called at every start, after the migrations.
///
/// # Errors
/// [`Error::Url`] if the URL can't be parsed, otherwise the database error.
pub async fn grant(setup: &PgPool, application_url: &str) -> Result<()> {
    let application: sqlx::postgres::PgConnectOptions = application_url.parse().map_err(Error::Url)?;
    let role = application.get_username();
    let mut tx = setup.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *tx).await?;
    let lacking: bool = sqlx::query_scalar(
        "select exists (
               select from pg_class c
               where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname <> '_sqlx_migrations'
                 and not (has_table_privilege($1, c.oid, 'select') and has_table_privilege($1, c.oid, 'insert')
                          and (c.relname = 'decisions'
                               or has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete')))
           ) or $1 <> current_user and has_table_privilege($1, 'decisions', 'update')",
    )
    .bind(role)
    .fetch_one(&mut *tx)
    .await?;
    if lacking {
        let role = format!("\"{}\"", role.replace('"', "\"\""));
        // Row ids come from sequences, which backups need to read as well. Decisions are append-only.
        let sql = format!(
            "revoke create on schema public from public;
             grant usage on schema public to {role};
             grant select, insert, update, delete on all tables in schema public to {role};
             grant usage, select on all sequences in schema public to {role};
             revoke insert, update, delete on _sqlx_migrations from {role};
             revoke update, delete on decisions from {role}"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *tx).await?;
    }
    Ok(tx.commit().await?)
}
