//! The Postgres server that all tests in a run share.

use std::{
    fs::{self, File},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};
use lantern_catalog::cluster::{Cluster, Options};
use sqlx::{Connection, PgConnection};

/// Environment variable with the URL of a server that `./dev test` has already started.
const VARIABLE: &str = "LANTERN_TEST_DATABASE_URL";

/// Server on which databases are created.
#[derive(Debug)]
pub struct Server {
    /// URL of its maintenance database.
    pub admin_url: String,
    /// Folder of files that belong to its databases.
    pub root: PathBuf,
    // Shared lock that all running tests hold. The watchdog stops the server once it can lock the file exclusively.
    _in_use: Option<File>,
}

impl Server {
    /// Finds or starts the server. Returns it with a connection to its maintenance database.
    pub async fn get() -> Result<(Self, PgConnection)> {
        let root = std::env::temp_dir().join(format!("lantern-test-{}", nix::unistd::geteuid()));
        fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
        if let Ok(url) = std::env::var(VARIABLE) {
            let conn = PgConnection::connect(&url).await?;
            return Ok((Self { admin_url: url, root, _in_use: None }, conn));
        }
        let in_use = open(&root.join("in-use"))?;
        in_use.lock_shared().with_context(|| root.display().to_string())?;
        // Only one test starts the server. The others then find it running.
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

    /// Returns the URL of another database on this server.
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
    // Because fsync is off, a crash may have damaged the cluster. Creating a new one takes a second. The folders of its databases are
    // removed too.
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

/// Starts the watchdog, which polls until no test holds `in-use` or the folder is gone, then stops the server and removes its files.
/// A test that starts at that moment waits for the lock, finds no server at the URL and starts a new one.
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
