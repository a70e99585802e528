//! The Postgres all tests of a run share.

use std::{
    fs::{self, File},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};
use lantern_catalog::cluster::{Cluster, Options};
use sqlx::{Connection, PgConnection};

/// Names the server when `./dev test` already started one.
const VARIABLE: &str = "LANTERN_TEST_DATABASE_URL";

/// A server to make databases on.
#[derive(Debug)]
pub struct Server {
    /// Address of its maintenance database.
    pub admin_url: String,
    /// Where files are kept that belong to its databases.
    pub root: PathBuf,
    // Shared by all tests in progress; the watchdog ends the server when it can have it alone.
    _in_use: Option<File>,
}

impl Server {
    /// Finds or starts the server; answers it with a connection to its maintenance database.
    pub async fn get() -> Result<(Self, PgConnection)> {
        let root = std::env::temp_dir().join(format!("lantern-test-{}", nix::unistd::geteuid()));
        fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
        if let Ok(url) = std::env::var(VARIABLE) {
            let conn = PgConnection::connect(&url).await?;
            return Ok((Self { admin_url: url, root, _in_use: None }, conn));
        }
        let in_use = open(&root.join("in-use"))?;
        in_use.lock_shared().with_context(|| root.display().to_string())?;
        // One starter at a time; others find the server running.
        let starting = open(&root.join("starting"))?;
        starting.lock().with_context(|| root.display().to_string())?;
        let address = root.join("url");
        if let Ok(url) = fs::read_to_string(&address)
            && let Ok(conn) = PgConnection::connect(&url).await
        {
            return Ok((Self { admin_url: url, root, _in_use: Some(in_use) }, conn));
        }
        let url = start(&root).await?;
        let conn = PgConnection::connect(&url).await?;
        fs::write(&address, &url).with_context(|| address.display().to_string())?;
        Ok((Self { admin_url: url, root, _in_use: Some(in_use) }, conn))
    }

    /// Address of another database on the same server.
    pub fn database_url(&self, name: &str) -> Result<String> {
        let (base, query) = self.admin_url.split_once('?').unwrap_or((&self.admin_url, ""));
        let authority = base.find("://").map_or(0, |at| at + 3);
        let path = base[authority..]
            .find('/')
            .map(|at| authority + at)
            .with_context(|| format!("{VARIABLE} must name a database: postgres://host/name"))?;
        Ok(format!("{}/{name}?{query}", &base[..path]))
    }
}

fn open(path: &Path) -> Result<File> {
    File::options().create(true).append(true).open(path).with_context(|| path.display().to_string())
}

async fn start(root: &Path) -> Result<String> {
    let dir = root.join("postgres");
    // Without fsync a crash may have broken it; a new one takes a second. With its databases go the folders that belong to them.
    for folder in [&dir, &root.join("prepared")] {
        match fs::remove_dir_all(folder) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(e).with_context(|| folder.display().to_string());
            }
            _ => {}
        }
    }
    let cluster = Cluster::start_with(&dir, Options { durable: false, detached: true }).await?;
    watch(root, cluster.pid())?;
    Ok(cluster.setup_url().to_owned())
}

/// Ends the server, and removes what it kept, once no test has held `in-use` at one of its looks, or when the folder is gone; a
/// test that comes just then waits for the lock, finds nobody at the address and starts a new server.
fn watch(root: &Path, pid: u32) -> Result<()> {
    const STOP: &str = r#"kill -INT "$2"; while kill -0 "$2"; do sleep 0.1; done
        rm -rf "$1/url" "$1/postgres" "$1/prepared" "$4""#;
    const LOOK: &str = r#"socket=$(cat "$1/postgres.socket")
        while sleep 20; do
            if [ -e "$1/in-use" ]; then flock -n "$1/in-use" sh -c "$3" sh "$1" "$2" "$3" "$socket" && exit
            else sh -c "$3" sh "$1" "$2" "$3" "$socket"; exit; fi
            kill -0 "$2" || exit
        done"#;
    Command::new("sh")
        .args(["-c", LOOK, "sh"])
        .arg(root)
        .args([pid.to_string().as_str(), STOP])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map(drop)
        .context("sh")
}
