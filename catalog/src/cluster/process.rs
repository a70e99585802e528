//! Server process: how it is started, becomes ready and is shut down.

use std::{
    fs::{File, OpenOptions, Permissions},
    os::unix::{
        fs::{OpenOptionsExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::mpsc::channel,
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Options, account::SystemUser, orphans};
use crate::{Error, Result};

/// Timeout for the start. After a crash, recovery replays the log, which can take a while.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(120);
/// Timeout for shutting down a server that isn't ready yet. Such a server has nothing to flush.
const ABORT_TIMEOUT: Duration = Duration::from_secs(2);

/// Exit status of a server, once it has exited.
pub(super) type Ended = watch::Receiver<Option<String>>;

/// Parameters for launching a server.
pub(super) struct Launch<'a> {
    pub(super) dir: &'a Path,
    pub(super) binaries: &'a Path,
    pub(super) account: &'a SystemUser,
    pub(super) socket_folder: &'a Path,
    pub(super) options: Options,
    /// Aborts the wait for readiness when canceled.
    pub(super) stop: &'a CancellationToken,
}

#[derive(Debug)]
pub(super) struct Server {
    pid: u32,
    /// Exit status, or `None` if the server is detached.
    ended: Option<Ended>,
}

/// Builds a command that gets its data folder as an open directory (descriptor 3) instead of a path. The server's user
/// may lack permission to traverse the folder's parents (such as a checkout under /root), whereas `/proc/self/fd` needs
/// no such permission.
pub(super) fn in_folder(dir: &Path, account: &SystemUser, program: &Path, args: &[&str]) -> Result<Command> {
    let folder = File::open(dir).map_err(Error::io(dir))?;
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"exec 3<&0 </dev/null; exec "$@" -D /proc/self/fd/3"#, "sh"])
        .arg(program)
        .args(args)
        .current_dir("/")
        .stdin(folder)
        // Ctrl-C in a terminal must reach only Lantern, which then shuts the server down in order.
        .process_group(0);
    account.apply(&mut command);
    Ok(command)
}

impl Server {
    /// Starts the server and waits until it is ready.
    pub(super) fn launch(launch: &Launch<'_>) -> Result<Self> {
        let log_path = super::beside(launch.dir, "log");
        let log =
            OpenOptions::new().create(true).append(true).mode(0o600).open(&log_path).map_err(Error::io(&log_path))?;
        // The log of an earlier version may have had wider permissions.
        log.set_permissions(Permissions::from_mode(0o600)).map_err(Error::io(&log_path))?;
        let log_start = log.metadata().map_err(Error::io(&log_path))?.len();
        let command = command(launch, log)?;
        let (pid, ended) = spawn(command)?;
        let mut server = Self { pid, ended: Some(ended.clone()) };
        if let Err(error) = wait_ready(pid, &ended, launch, &log_path, log_start) {
            server.stop(ABORT_TIMEOUT)?;
            return Err(error);
        }
        if launch.options.detached {
            // From here on, the server keeps running when this process drops it.
            server.ended = None;
        }
        Ok(server)
    }

    /// Returns a receiver of the exit status, or `None` if the server is detached.
    pub(super) fn ended(&self) -> Option<Ended> {
        self.ended.clone()
    }

    /// Returns whether the server is still running. This is always `true` if the server is detached.
    pub(super) fn is_running(&self) -> bool {
        self.ended.as_ref().is_none_or(|ended| !is_over(ended))
    }

    pub(super) const fn pid(&self) -> u32 {
        self.pid
    }

    /// Shuts the server down in fast mode and kills it after `timeout`.
    pub(super) fn stop(&mut self, timeout: Duration) -> Result<()> {
        let Some(ended) = self.ended.take() else {
            return Ok(());
        };
        let pid = i32::try_from(self.pid).map_err(|e| Error::Cluster(e.to_string()))?;
        if is_over(&ended) {
            return Ok(());
        }
        orphans::signal(pid, Signal::SIGINT)?;
        let since = Instant::now();
        while !is_over(&ended) {
            if since.elapsed() > timeout {
                orphans::signal(pid, Signal::SIGKILL)?;
                return Err(Error::Cluster(format!(
                    "Postgres did not stop within {} s and was killed; it will recover at the next start",
                    timeout.as_secs()
                )));
            }
            std::thread::sleep(orphans::POLL_INTERVAL);
        }
        Ok(())
    }
}

/// Returns whether the server has exited or is no longer watched.
fn is_over(ended: &Ended) -> bool {
    ended.borrow().is_some() || ended.has_changed().is_err()
}

/// Waits until the server accepts connections. It then writes "ready" as the eighth line of postmaster.pid.
fn wait_ready(pid: u32, ended: &Ended, launch: &Launch<'_>, log: &Path, log_start: u64) -> Result<()> {
    let (since, dir) = (Instant::now(), launch.dir);
    while since.elapsed() < STARTUP_TIMEOUT {
        if launch.stop.is_cancelled() {
            return Err(Error::Cluster("Postgres was stopped during startup".to_owned()));
        }
        if let Ok(text) = std::fs::read_to_string(dir.join("postmaster.pid")) {
            let mut lines = text.lines();
            let ours = lines.next().and_then(|l| l.parse().ok()) == Some(pid);
            if ours && lines.nth(6).is_some_and(|l| l.trim() == "ready") {
                return Ok(());
            }
        }
        if let Some(status) = &*ended.borrow() {
            return Err(Error::Cluster(format!(
                "Postgres did not start in {} ({status}): {}",
                dir.display(),
                tail(log, log_start)
            )));
        }
        std::thread::sleep(orphans::POLL_INTERVAL);
    }
    Err(Error::Cluster(format!(
        "Postgres in {} was not ready after {} s: {}",
        dir.display(),
        STARTUP_TIMEOUT.as_secs(),
        tail(log, log_start)
    )))
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(e) = self.stop(Duration::from_secs(10)) {
            tracing::warn!(error = %e, "failed to stop Postgres");
        }
    }
}

/// Builds the full command line. Settings are passed here, so that a new version of Lantern also changes them for
/// existing clusters.
fn command(launch: &Launch<'_>, log: File) -> Result<Command> {
    let socket = format!("unix_socket_directories={}", launch.socket_folder.display());
    let mut settings = vec![
        socket.as_str(),
        "listen_addresses=",
        "max_connections=100",
        "shared_buffers=128MB",
        "work_mem=16MB",
        "maintenance_work_mem=128MB",
        "max_wal_size=2GB",
        "checkpoint_timeout=15min",
        "wal_compression=on",
        "jit=off",
        "timezone=UTC",
        "log_timezone=UTC",
        "log_min_messages=warning",
        // The log must not contain personal data, so statements, parameters and DETAIL lines with values from a failing
        // row are left out.
        "log_min_error_statement=panic",
        "log_parameter_max_length=0",
        "log_parameter_max_length_on_error=0",
        "log_error_verbosity=terse",
        "logging_collector=off",
    ];
    if !launch.options.durable {
        settings.extend(["fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=64MB"]);
        // Tests run in parallel, and each has the connection pools of all its nodes.
        settings.push("max_connections=400");
    }
    let postgres = launch.binaries.join("postgres");
    let mut args: Vec<&str> = Vec::new();
    let setpriv = (!launch.options.detached).then(setpriv).flatten();
    let program = match &setpriv {
        // The kernel tells the server to shut down if Lantern dies abruptly.
        Some(setpriv) => {
            args.extend(["--pdeathsig", "INT", "--"]);
            args.push(postgres.to_str().ok_or_else(|| Error::Cluster("the path of postgres is not UTF-8".into()))?);
            setpriv.as_path()
        }
        None => postgres.as_path(),
    };
    for setting in &settings {
        args.extend(["-c", setting]);
    }
    let mut command = in_folder(launch.dir, launch.account, program, &args)?;
    let errors = log.try_clone().map_err(Error::io("log"))?;
    command.stdout(log).stderr(errors);
    Ok(command)
}

/// Finds `setpriv`. It is part of util-linux and therefore present on every Debian. Without it, the server outlives a
/// killed Lantern until the next start stops it.
fn setpriv() -> Option<PathBuf> {
    ["/usr/bin/setpriv", "/bin/setpriv"].map(PathBuf::from).into_iter().find(|p| p.is_file())
}

/// Spawns the child on a dedicated thread that lives as long as the child. The kernel ties the parent-death signal to
/// the thread that spawned the child, and tokio's blocking threads exit when idle.
fn spawn(mut command: Command) -> Result<(u32, Ended)> {
    let (started, pid) = channel();
    let (end, ended) = watch::channel(None);
    std::thread::Builder::new()
        .name("postgres".to_owned())
        .spawn(move || match command.spawn() {
            Ok(mut child) => {
                // The child has the open folder and log now.
                drop(command);
                // Sending fails only if the receiver is gone.
                started.send(Ok(child.id())).ok();
                let status = child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
                end.send(Some(status)).ok();
            }
            Err(e) => {
                started.send(Err(e)).ok();
            }
        })
        .map_err(Error::io("thread"))?;
    let pid =
        pid.recv().map_err(|e| Error::Cluster(format!("failed to start Postgres: {e}")))?.map_err(Error::io("sh"))?;
    Ok((pid, ended))
}

/// Returns the last lines that the server has logged since `start`.
fn tail(log: &Path, start: u64) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let new = text.get(usize::try_from(start).unwrap_or(0)..).unwrap_or_default();
    let new = String::from_utf8_lossy(new);
    let lines: Vec<&str> = new.lines().rev().take(5).collect();
    let mut lines: Vec<&str> = lines.into_iter().rev().collect();
    if lines.is_empty() {
        lines.push("no log output");
    }
    lines.join(" | ")
}
