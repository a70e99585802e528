//! What a `kill -9` leaves behind: a server without its Lantern, its socket folder, a stale postmaster.pid.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{Error, Result};

/// Start of the names of our socket folders.
pub(super) const SOCKET_PREFIX: &str = "lantern-pg-";
/// How often a condition outside our control is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(5);
/// A fast shutdown writes a checkpoint; slow disks need a while.
const PATIENCE: Duration = Duration::from_secs(30);

/// Stops any postgres still living in `dir` and removes what it left. The caller holds the folder's lock.
pub(super) fn clear(dir: &Path) -> Result<()> {
    stop_server(dir)?;
    remove_socket_folder(dir);
    Ok(())
}

fn stop_server(dir: &Path) -> Result<()> {
    let pid_file = dir.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&pid_file) else {
        return Ok(());
    };
    let since = Instant::now();
    loop {
        let living = living_in(dir);
        if living.is_empty() {
            break;
        }
        if since.elapsed() > PATIENCE {
            return Err(Error::Cluster(format!(
                "a Postgres of an earlier run (process {}) does not let go of {}",
                living[0],
                dir.display()
            )));
        }
        if let Some(postmaster) = text.lines().next().and_then(|l| l.parse().ok())
            && living.contains(&postmaster)
        {
            tracing::info!(pid = postmaster, "stopping the Postgres of an earlier run");
            signal(postmaster, Signal::SIGINT)?;
        }
        let looked = Instant::now();
        while !living_in(dir).is_empty() && looked.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(LOOK);
        }
    }
    // Nothing lives here any more, so the file is stale; left alone, a reused process id would block the start.
    match fs::remove_file(&pid_file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(pid_file)(e)),
        _ => Ok(()),
    }
}

/// Sends a signal; a process that just ended is no error.
pub(super) fn signal(pid: i32, signal: Signal) -> Result<()> {
    match kill(Pid::from_raw(pid), signal) {
        Ok(()) | Err(nix::errno::Errno::ESRCH) => Ok(()),
        Err(e) => Err(Error::Cluster(format!("{signal} for Postgres (process {pid}) failed: {e}"))),
    }
}

/// Postgres processes working in the folder: they all stay in their data folder.
fn living_in(dir: &Path) -> Vec<i32> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
            let here = fs::read_link(entry.path().join("cwd")).ok()? == dir;
            (here && fs::read_to_string(entry.path().join("comm")).ok()?.trim() == "postgres").then_some(pid)
        })
        .collect()
}

/// Notes where the socket folder is, for the next start to remove should we not come to it.
pub(super) fn note_socket_folder(dir: &Path, folder: &Path) -> Result<()> {
    let note = super::beside(dir, "socket");
    fs::write(&note, folder.as_os_str().as_encoded_bytes()).map_err(Error::io(note))
}

/// Removes the socket folder of an earlier run; only folders we made.
fn remove_socket_folder(dir: &Path) {
    let Ok(folder) = fs::read_to_string(super::beside(dir, "socket")).map(PathBuf::from) else {
        return;
    };
    let ours = folder.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with(SOCKET_PREFIX));
    if ours
        && let Err(e) = fs::remove_dir_all(&folder)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(folder = %folder.display(), error = %e, "an old socket folder could not be removed");
    }
}
