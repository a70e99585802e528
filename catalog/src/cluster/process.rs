//! The server process: launching it, knowing when it is ready, ending it with us.

use std::{
    fs::{File, OpenOptions, Permissions},
    os::unix::{
        fs::{OpenOptionsExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;

use super::{Options, account::SystemUser, orphans};
use crate::{Error, Result};

/// Recovery after a crash replays the log, which can take a while.
const START_PATIENCE: Duration = Duration::from_secs(120);

/// What is needed to launch a server.
pub(super) struct Launch<'a> {
    pub(super) dir: &'a Path,
    pub(super) binaries: &'a Path,
    pub(super) account: &'a SystemUser,
    pub(super) socket_folder: &'a Path,
    pub(super) options: Options,
}

#[derive(Debug)]
pub(super) struct Server {
    pid: u32,
    /// Gives the exit status once; `None` when detached or already stopped.
    exit: Option<Receiver<std::io::Result<ExitStatus>>>,
}

/// A command given its data folder as an open directory (descriptor 3) instead of a path. The server's user may
/// not be allowed to pass through the folder's parents (a checkout under /root), and `/proc/self/fd` needs no
/// such permission.
pub(super) fn in_folder(dir: &Path, account: &SystemUser, program: &Path, args: &[&str]) -> Result<Command> {
    let folder = File::open(dir).map_err(Error::io(dir))?;
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"exec 3<&0 </dev/null; exec "$@" -D /proc/self/fd/3"#, "sh"])
        .arg(program)
        .args(args)
        .current_dir("/")
        .stdin(folder)
        // A terminal's Ctrl-C is for Lantern, which then stops the server in order.
        .process_group(0);
    account.apply(&mut command);
    Ok(command)
}

impl Server {
    /// Starts the server and waits until it says it is ready.
    pub(super) fn launch(launch: &Launch<'_>) -> Result<Self> {
        let log_path = super::beside(launch.dir, "log");
        let log =
            OpenOptions::new().create(true).append(true).mode(0o600).open(&log_path).map_err(Error::io(&log_path))?;
        // Also one that an earlier version made.
        log.set_permissions(Permissions::from_mode(0o600)).map_err(Error::io(&log_path))?;
        let log_start = log.metadata().map_err(Error::io(&log_path))?.len();
        let command = command(launch, log)?;
        let (pid, exit) = spawn(command)?;
        let mut server = Self { pid, exit: Some(exit) };
        server.wait_ready(launch.dir, &log_path, log_start)?;
        if launch.options.detached {
            // Forgotten on purpose: nothing of ours ends it any more.
            server.exit = None;
        }
        Ok(server)
    }

    pub(super) const fn pid(&self) -> u32 {
        self.pid
    }

    /// The server writes "ready" as the eighth line of postmaster.pid when it accepts connections.
    fn wait_ready(&self, dir: &Path, log: &Path, log_start: u64) -> Result<()> {
        let since = Instant::now();
        let exit = self.exit.as_ref();
        while since.elapsed() < START_PATIENCE {
            if let Ok(text) = std::fs::read_to_string(dir.join("postmaster.pid")) {
                let mut lines = text.lines();
                let ours = lines.next().and_then(|l| l.parse().ok()) == Some(self.pid);
                if ours && lines.nth(6).is_some_and(|l| l.trim() == "ready") {
                    return Ok(());
                }
            }
            if let Some(Ok(status)) = exit.map(|e| e.recv_timeout(orphans::LOOK)) {
                let status = status.map_or_else(|e| e.to_string(), |s| s.to_string());
                return Err(Error::Cluster(format!(
                    "Postgres did not start in {} ({status}): {}",
                    dir.display(),
                    tail(log, log_start)
                )));
            }
        }
        Err(Error::Cluster(format!(
            "Postgres in {} was not ready after {} s: {}",
            dir.display(),
            START_PATIENCE.as_secs(),
            tail(log, log_start)
        )))
    }

    /// Fast shutdown, then force after `patience`.
    pub(super) fn stop(&mut self, patience: Duration) -> Result<()> {
        let Some(exit) = self.exit.take() else {
            return Ok(());
        };
        let pid = i32::try_from(self.pid).map_err(|e| Error::Cluster(e.to_string()))?;
        if exit.try_recv().is_ok() {
            return Ok(());
        }
        orphans::signal(pid, Signal::SIGINT)?;
        match exit.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => {
                orphans::signal(pid, Signal::SIGKILL)?;
                Err(Error::Cluster(format!(
                    "Postgres did not stop within {} s and was killed; it will recover at the next start",
                    patience.as_secs()
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(e) = self.stop(Duration::from_secs(10)) {
            tracing::warn!(error = %e, "stopping Postgres");
        }
    }
}

/// The full command line. Settings are given here, so that a new version of Lantern changes them for old clusters.
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
        // No personal data in the log: no statement beside an error, no parameters, no DETAIL with a failing row's values.
        "log_min_error_statement=panic",
        "log_parameter_max_length=0",
        "log_parameter_max_length_on_error=0",
        "log_error_verbosity=terse",
        "logging_collector=off",
    ];
    if !launch.options.durable {
        settings.extend(["fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=64MB"]);
        // Of tests side by side each has the pools of all its nodes.
        settings.push("max_connections=400");
    }
    let postgres = launch.binaries.join("postgres");
    let mut args: Vec<&str> = Vec::new();
    let setpriv = (!launch.options.detached).then(setpriv).flatten();
    let program = match &setpriv {
        // The kernel tells the server to shut down should we die without a chance to.
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

/// util-linux has it on every Debian. Without it a server outlives a killed Lantern until the next start stops it.
fn setpriv() -> Option<PathBuf> {
    ["/usr/bin/setpriv", "/bin/setpriv"].map(PathBuf::from).into_iter().find(|p| p.is_file())
}

/// Spawns on a thread of its own that lives as long as the child: the kernel's death signal is tied to the
/// spawning thread, and tokio's blocking threads end when idle.
fn spawn(mut command: Command) -> Result<(u32, Receiver<std::io::Result<ExitStatus>>)> {
    let (started, pid) = channel();
    let (ended, exit) = channel();
    std::thread::Builder::new()
        .name("postgres".to_owned())
        .spawn(move || match command.spawn() {
            Ok(mut child) => {
                // The open folder and log belong to the child now.
                drop(command);
                // A receiver that is gone only means nobody waits any more.
                started.send(Ok(child.id())).ok();
                ended.send(child.wait()).ok();
            }
            Err(e) => {
                started.send(Err(e)).ok();
            }
        })
        .map_err(Error::io("thread"))?;
    let pid = pid.recv().map_err(|e| Error::Cluster(format!("starting Postgres: {e}")))?.map_err(Error::io("sh"))?;
    Ok((pid, exit))
}

/// The last lines the server wrote since `start`.
fn tail(log: &Path, start: u64) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let new = text.get(usize::try_from(start).unwrap_or(0)..).unwrap_or_default();
    let new = String::from_utf8_lossy(new);
    let lines: Vec<&str> = new.lines().rev().take(5).collect();
    let mut lines: Vec<&str> = lines.into_iter().rev().collect();
    if lines.is_empty() {
        lines.push("nothing was logged");
    }
    lines.join(" | ")
}
