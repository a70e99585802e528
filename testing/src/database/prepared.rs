//! What many tests begin with, filled once: a database and a folder.
//!
//! Both are named after the test program itself. One that was built anew, be it because of a single field of a document, finds
//! nothing of its own and fills both again, so no test ever sees what another version of the code had made.

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

/// Key of the advisory lock under which one test fills and the others wait.
const FILLING: i64 = 7306;

/// What there is to copy.
pub struct Template {
    pub database: String,
    pub folder: PathBuf,
}

/// Finds what was filled with this content by this program, or has it filled.
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
    if is_there(admin, &prepared).await? {
        return Ok(prepared);
    }
    run(admin, format!("select pg_advisory_lock({FILLING})")).await?;
    if !is_there(admin, &prepared).await? {
        clear(admin, &folders, &format!("lantern_prepared_{program}_"), &version).await?;
        make(admin, &prepared, fill).await?;
    }
    run(admin, format!("select pg_advisory_unlock({FILLING})")).await?;
    Ok(prepared)
}

async fn is_there(admin: &mut PgConnection, prepared: &Template) -> Result<bool> {
    Ok(prepared.folder.is_dir() && is_template(admin, &prepared.database).await?)
}

/// The template is the last thing that is made: with it, all is there.
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

/// Removes what earlier builds of this program left. None of their tests can be running: they were started from the same file.
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
    // A template can't be dropped, and what isn't there can't be altered.
    if is_template(admin, database).await? {
        run(admin, format!("alter database {database} is_template false")).await?;
    }
    run(admin, format!("drop database if exists {database} with (force)")).await?;
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(e).with_context(|| folder.display().to_string()),
        _ => Ok(()),
    }
}

/// Digests that stand for the test program's file, and for what is in it.
fn program() -> Result<(String, String)> {
    let path = std::env::current_exe().context("the test program")?;
    let file = fs::metadata(&path).with_context(|| path.display().to_string())?;
    let written = file.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
    let version = Sha256::new().chain_update(written.to_le_bytes()).chain_update(file.len().to_le_bytes());
    Ok((short(Sha256::new().chain_update(path.as_os_str().as_encoded_bytes())), short(version)))
}

/// Copies a folder with all below it; `to` must not be there yet.
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
