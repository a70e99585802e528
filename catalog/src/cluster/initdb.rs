//! Creation of the cluster at the first start.

use std::path::{Path, PathBuf};

use super::{account::SystemUser, process::in_folder, roles};
use crate::{Error, Result};

/// Runs `initdb` unless the folder already holds a cluster. A marker file next to the folder exists while `initdb` is
/// running. An interrupted attempt is therefore recognized and discarded, whereas a real cluster never is.
pub(super) fn ensure(dir: &Path, binaries: &Path, account: &SystemUser, durable: bool) -> Result<()> {
    let creating = super::beside(dir, "creating");
    if creating.exists() {
        std::fs::remove_dir_all(dir).map_err(Error::io(dir))?;
        std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
    } else if dir.join("PG_VERSION").exists() {
        return Ok(());
    }
    std::fs::write(&creating, b"").map_err(Error::io(&creating))?;
    account.chown(dir)?;
    let owner = format!("--username={}", roles::SETUP);
    let output = in_folder(
        dir,
        account,
        &binaries.join("initdb"),
        &[
            owner.as_str(),
            // Only the owner of the socket's folder and root can enter it (mode 0700).
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            if durable { "--data-checksums" } else { "--no-sync" },
        ],
    )?
    .output()
    .map_err(Error::io(PathBuf::from("sh")))?;
    if !output.status.success() {
        return Err(Error::Cluster(format!(
            "initdb failed in {}: {}",
            dir.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    std::fs::remove_file(&creating).map_err(Error::io(creating))
}
