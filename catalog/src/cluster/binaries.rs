//! Locates `initdb` and `postgres`.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Debian and Ubuntu install one folder per major version here.
const DEBIAN: &str = "/usr/lib/postgresql";

/// Returns the folder that contains both programs. An existing cluster needs the major version that created it. For a
/// new one, `PATH` is tried first, then the newest installed version.
pub(super) fn find(dir: &Path) -> Result<PathBuf> {
    let candidates = candidates();
    match std::fs::read_to_string(dir.join("PG_VERSION")) {
        Ok(version) => {
            let version = version.trim();
            candidates.into_iter().find(|b| major(b).as_deref() == Some(version)).ok_or_else(|| {
                Error::Cluster(format!(
                    "{} was created by Postgres {version}, which is no longer installed: \
                     install postgresql-{version} or move the folder away",
                    dir.display()
                ))
            })
        }
        Err(_) => candidates.into_iter().next().ok_or_else(|| {
            Error::Cluster(
                "Postgres is not installed (initdb and postgres are neither in PATH nor under \
                 /usr/lib/postgresql): run `apt-get install postgresql` or set database.url"
                    .to_owned(),
            )
        }),
    }
}

fn candidates() -> Vec<PathBuf> {
    let in_path = std::env::var_os("PATH").map(|p| std::env::split_paths(&p).collect::<Vec<_>>());
    let mut debian: Vec<(u32, PathBuf)> = std::fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .filter_map(|e| {
            let entry = e.ok()?;
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    debian.sort_by(|a, b| b.cmp(a));
    in_path
        .unwrap_or_default()
        .into_iter()
        .chain(debian.into_iter().map(|(_, bin)| bin))
        .filter(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file())
        .collect()
}

/// Parses the major version from `postgres (PostgreSQL) 15.14 (Debian …)`.
fn major(bin: &Path) -> Option<String> {
    let output = std::process::Command::new(bin.join("postgres")).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(version.split('.').next()?.to_owned())
}
