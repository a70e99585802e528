//! Cleanup after a `kill -9`, which may leave a server without its Lantern, backends without their server, the socket
//! folder, and a stale postmaster.pid.

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

/// Prefix of the names of socket folders.
pub(super) const SOCKET_PREFIX: &str = "lantern-pg-";
/// Polling interval for conditions that this process doesn't control.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Timeout for a fast shutdown. The shutdown writes a checkpoint, which takes a while on slow disks.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for backends whose server has died. They notice this at their next wait and may compute for a long time
/// before that.
const BACKEND_TIMEOUT: Duration = Duration::from_secs(1);

/// Removes the socket folder of an earlier run, but only if its name has Lantern's prefix.
pub(super) fn remove_socket_folder(dir: &Path) {
    let Ok(folder) = fs::read_to_string(super::beside(dir, "socket")).map(PathBuf::from) else {
        return;
    };
    let ours = folder.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with(SOCKET_PREFIX));
    if ours
        && let Err(e) = fs::remove_dir_all(&folder)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(folder = %folder.display(), error = %e, "failed to remove an old socket folder");
    }
}

/// Removes the socket and lock file left by a crashed server. If the process id in the lock file is in use again, the
/// file would prevent the start.
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

/// Stops any Postgres that is still running in `dir` and removes its pid file. The caller holds the folder's lock and
/// runs no server there. Backends whose server is dead are killed too, because no other server can start while one of
/// them is using the shared memory.
pub(super) fn stop_server(dir: &Path, stop: &CancellationToken) -> Result<()> {
    let pid_file = dir.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&pid_file) else {
        return Ok(());
    };
    let since = Instant::now();
    loop {
        let living = processes_in(dir);
        if living.is_empty() {
            break;
        }
        if stop.is_cancelled() {
            return Err(Error::Cluster("Postgres was stopped during startup".to_owned()));
        }
        if since.elapsed() > SHUTDOWN_TIMEOUT {
            return Err(Error::Cluster(format!(
                "a Postgres of an earlier run (process {}) still uses {}",
                living[0],
                dir.display()
            )));
        }
        if let Some(postmaster) = text.lines().next().and_then(|l| l.parse().ok())
            && living.contains(&postmaster)
        {
            tracing::info!(pid = postmaster, "stopping the Postgres of an earlier run");
            signal(postmaster, Signal::SIGINT)?;
        } else if since.elapsed() > BACKEND_TIMEOUT {
            // Their work is uncommitted, and the next server recovers from the log in any case.
            living.into_iter().try_for_each(|backend| signal(backend, Signal::SIGKILL))?;
        }
        let looked = Instant::now();
        while !processes_in(dir).is_empty() && looked.elapsed() < BACKEND_TIMEOUT && !stop.is_cancelled() {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
    // Nothing is running here anymore, so the file is stale. If its process id is in use again, the file would prevent
    // the start.
    match fs::remove_file(&pid_file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(pid_file)(e)),
        _ => Ok(()),
    }
}

/// Sends a signal. It is not an error if the process has just exited.
pub(super) fn signal(pid: i32, signal: Signal) -> Result<()> {
    match kill(Pid::from_raw(pid), signal) {
        Ok(()) | Err(nix::errno::Errno::ESRCH) => Ok(()),
        Err(e) => Err(Error::Cluster(format!("{signal} for Postgres (process {pid}) failed: {e}"))),
    }
}

/// Returns the Postgres processes of this folder. Their working directory is always the data folder.
fn processes_in(dir: &Path) -> Vec<i32> {
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

/// Records the location of the socket folder, so that the next start can remove it if this process can't.
pub(super) fn record_socket_folder(dir: &Path, folder: &Path) -> Result<()> {
    let note = super::beside(dir, "socket");
    fs::write(&note, folder.as_os_str().as_encoded_bytes()).map_err(Error::io(note))
}
