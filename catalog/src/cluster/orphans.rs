//! What a `kill -9` leaves behind: a server without its Lantern, or backends without their server, its socket folder, a stale
//! postmaster.pid.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio_util::sync::CancellationToken;

use crate::{Error, Result};

/// Start of the names of our socket folders.
pub(super) const SOCKET_PREFIX: &str = "lantern-pg-";
/// How often a condition outside our control is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(5);
/// A fast shutdown writes a checkpoint; slow disks need a while.
const PATIENCE: Duration = Duration::from_secs(30);
/// Backends without their server notice that when they wait for something next, and may compute for long before.
const BACKEND_PATIENCE: Duration = Duration::from_secs(1);

/// Removes the socket folder of an earlier run; only folders we made.
pub(super) fn remove_socket_folder(dir: &Path) {
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

/// Removes the socket of a server that ended without doing so, and its lock: a process id that is used again would block the start.
pub(super) fn remove_socket(folder: &Path) -> Result<()> {
    for name in [".s.PGSQL.5432", ".s.PGSQL.5432.lock"] {
        let file = folder.join(name);
        match fs::remove_file(&file) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(file)(e)),
            _ => {}
        }
    }
    Ok(())
}

/// Stops any postgres still living in `dir`, and removes its pid file. The caller holds the folder's lock, and has no server there.
/// Backends whose server is dead are ended, too, for as long as one of them uses the shared memory no other server can start.
pub(super) fn stop_server(dir: &Path, stop: &CancellationToken) -> Result<()> {
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
        if stop.is_cancelled() {
            return Err(Error::Cluster("Postgres was stopped while it started".to_owned()));
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
        } else if since.elapsed() > BACKEND_PATIENCE {
            // What they were at is not committed; the next server recovers from the log in any case.
            living.into_iter().try_for_each(|backend| signal(backend, Signal::SIGKILL))?;
        }
        let looked = Instant::now();
        while !living_in(dir).is_empty() && looked.elapsed() < BACKEND_PATIENCE && !stop.is_cancelled() {
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
