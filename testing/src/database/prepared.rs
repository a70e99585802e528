//! The starting point that many tests share: a database and a folder, which are filled once.
//!
//! Both are named after the test program's file. A rebuilt program finds neither and fills both again, so no test ever sees data
//! written by another version of the code.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
    time::UNIX_EPOCH,
};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::{STRATEGY, TestDb, is_template, run, server::Server, short};

/// Advisory lock held while a test fills the template and the others wait.
const FILLING: i64 = 7306;

/// Database and folder to copy.
pub struct Template {
    pub database: String,
    pub folder: PathBuf,
}

/// Returns this program's template for `content`, filling it first if it doesn't exist.
pub async fn find(
    server: &Server,
    admin: &mut PgConnection,
    content: &str,
    fill: impl AsyncFnOnce(Arc<TestDb>, &Path) -> Result<()>,
) -> Result<Template> {
    let (program, version) = program()?;
    let folders = server.root.join("prepared");
    let database = format!("lantern_prepared_{program}_{version}_{}", short(Sha256::new().chain_update(content)));
    let prepared = Template { folder: folders.join(&database), database };
    if exists(admin, &prepared).await? {
        return Ok(prepared);
    }
    run(admin, format!("select pg_advisory_lock({FILLING})")).await?;
    if !exists(admin, &prepared).await? {
        clear(admin, &folders, &format!("lantern_prepared_{program}_"), &version).await?;
        make(admin, &prepared, fill).await?;
    }
    run(admin, format!("select pg_advisory_unlock({FILLING})")).await?;
    Ok(prepared)
}

async fn exists(admin: &mut PgConnection, prepared: &Template) -> Result<bool> {
    Ok(prepared.folder.is_dir() && is_template(admin, &prepared.database).await?)
}

/// Fills the template. Marking the database as a template comes last, so that an existing one is always complete.
async fn make(
    admin: &mut PgConnection,
    Template { database, folder }: &Template,
    fill: impl AsyncFnOnce(Arc<TestDb>, &Path) -> Result<()>,
) -> Result<()> {
    remove(admin, database, folder).await?;
    let db = Arc::new(TestDb::create().await?);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fill(Arc::clone(&db), folder).await?;
    db.pool.close().await;
    run(admin, format!("create database {database} template {} {STRATEGY}", db.name)).await?;
    run(admin, format!("alter database {database} is_template true")).await
}

/// Removes templates of earlier builds of this program. None of those builds' tests can still be running, because they used the same file.
async fn clear(admin: &mut PgConnection, folders: &Path, prefix: &str, version: &str) -> Result<()> {
    let select =
        "select datname::text from pg_database where starts_with(datname, $1) and not starts_with(datname, $2)";
    let old: Vec<String> =
        sqlx::query_scalar(select).bind(prefix).bind(format!("{prefix}{version}")).fetch_all(&mut *admin).await?;
    for database in old {
        remove(admin, &database, &folders.join(&database)).await?;
    }
    Ok(())
}

async fn remove(admin: &mut PgConnection, database: &str, folder: &Path) -> Result<()> {
    // A template must be unmarked before it can be dropped.
    if is_template(admin, database).await? {
        run(admin, format!("alter database {database} is_template false")).await?;
    }
    run(admin, format!("drop database if exists {database} with (force)")).await?;
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(e).with_context(|| folder.display().to_string()),
        _ => Ok(()),
    }
}

/// Returns digests of the test program's path and of its version.
fn program() -> Result<(String, String)> {
    let path = std::env::current_exe().context("the test program")?;
    let file = fs::metadata(&path).with_context(|| path.display().to_string())?;
    let written = file.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
    let version = Sha256::new().chain_update(written.to_le_bytes()).chain_update(file.len().to_le_bytes());
    Ok((short(Sha256::new().chain_update(path.as_os_str().as_encoded_bytes())), short(version)))
}

/// Copies a folder recursively. `to` must not exist yet.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}
