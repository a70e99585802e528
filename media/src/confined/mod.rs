//! Runs programs that read untrusted input in an isolated process. This process sets its limits, drops most of its access to the system,
//! and becomes the program.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "other.rs"]
mod system;

use std::{
    ffi::{OsStr, OsString},
    fmt,
    io::Write,
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
};

use lantern_config::niceness;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::{Error, Result};

/// Subcommand of the program that calls [`become_program`] with its arguments.
pub const COMMAND: &str = "confined";
/// Exit code of a process that could not be confined and therefore ran nothing.
pub(crate) const NOT_CONFINED: i32 = 97;
/// Maximum number of open files. A program opens a film, its renditions and libraries.
const FILES: u64 = 256;

/// Limits for confined programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Maximum memory, in bytes.
    pub memory: u64,
    /// Maximum memory for a program that only probes a file, in bytes.
    pub probe_memory: u64,
    /// Maximum size of each file that the program writes, in bytes.
    pub file_bytes: u64,
    /// Whether to refuse to run if the system cannot enforce everything.
    pub full: bool,
}

/// Restrictions that this system enforces on confined programs, beyond limits on memory, time and files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Whether system calls are restricted to those that a decoder needs.
    pub calls: bool,
    /// Whether access to files is restricted to the allowed ones.
    pub files: bool,
    /// Whether signals to other processes are blocked independently of system calls. None of the allowed calls sends signals, so this is a
    /// second barrier.
    pub signals: bool,
}

impl Confinement {
    /// Returns whether an exploit in a crafted file stays inside the program.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.calls && self.files
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = |enforced: bool| if enforced { "enforced" } else { "not enforced" };
        let Self { calls, files, signals } = *self;
        write!(f, "system calls {}, files {}, signals {}", state(calls), state(files), state(signals))
    }
}

/// Limits and allowed paths of one program, which are passed to its process.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sandbox {
    /// Maximum memory, in bytes.
    pub memory: u64,
    /// Maximum size of each file that the program writes, in bytes.
    pub file_bytes: u64,
    /// Files and folders that the program may read, in addition to those of the system.
    #[serde(default)]
    pub reads: Vec<PathBuf>,
    /// Folders to which the program has full access.
    #[serde(default)]
    pub writes: Vec<PathBuf>,
    /// Device files that the program may read, write and control. With any, the program may also read what the system says about its
    /// devices, and `memory` limits what it writes to instead of its address space, because drivers reserve far more addresses.
    #[serde(default)]
    pub devices: Vec<PathBuf>,
    /// Whether to refuse to run if the system cannot enforce all of this.
    #[serde(default)]
    pub full: bool,
    /// Niceness of the program, 0 to 19.
    #[serde(default)]
    pub niceness: u8,
}

/// Starts confined programs.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// A program that implements [`COMMAND`].
    pub program: PathBuf,
    /// Limits that the program applies.
    pub rules: Rules,
}

impl Launcher {
    /// Uses another process of this program.
    pub fn this_program(rules: Rules) -> std::io::Result<Self> {
        Ok(Self { program: this_program()?, rules })
    }

    /// Determines what the system enforces by starting a process that confines itself and exits.
    ///
    /// # Errors
    /// Fails if the process cannot be started.
    pub async fn confinement(&self) -> Result<Confinement> {
        let Rules { memory, file_bytes, .. } = self.rules;
        let sandbox = serde_json::to_string(&Sandbox { memory, file_bytes, ..Sandbox::default() }).unwrap_or_default();
        let mut command = Command::new(&self.program);
        command.arg(COMMAND).arg(sandbox).env_clear().stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(Error::at(&self.program))?;
        // A process that cannot set its limits runs nothing.
        Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
    }

    /// Returns a command that becomes `program`, to which arguments can be added. Only `PATH` is passed on from the environment.
    pub(crate) fn command(&self, program: &str, sandbox: &Sandbox) -> Command {
        let mut command = Command::new(&self.program);
        // A path that isn't UTF-8 cannot be passed. In that case the child refuses to run.
        let rules = serde_json::to_string(sandbox).unwrap_or_default();
        command.arg(COMMAND).arg(rules).arg(program).env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }
}

/// Returns a path to this program that is valid even if its file was replaced or isn't accessible to this user.
pub(crate) fn this_program() -> std::io::Result<PathBuf> {
    let linked = Path::new("/proc/self/exe");
    if linked.exists() { Ok(linked.to_owned()) } else { std::env::current_exe() }
}

/// Drops all privileges and becomes the program. Runs in the child before it has started anything else. Returns only on failure.
#[must_use]
pub fn become_program(rules: &str, command: &[OsString]) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let failed = ExitCode::from(NOT_CONFINED.unsigned_abs().try_into().unwrap_or(u8::MAX));
    let Ok(rules) = serde_json::from_str::<Sandbox>(rules) else { return failed };
    let Some(confinement) = confine(&rules) else { return failed };
    if rules.full && !confinement.is_full() {
        return failed;
    }
    let Some((program, args)) = command.split_first() else {
        let said = serde_json::to_vec(&confinement).map_err(std::io::Error::other);
        let said = said.and_then(|said| std::io::stdout().write_all(&said));
        return if said.is_ok() { ExitCode::SUCCESS } else { failed };
    };
    let error = std::process::Command::new::<&OsStr>(program).args(args).exec();
    eprintln!("{}: {error}", program.display());
    failed
}

/// Sets limits that cannot be raised again, and makes this process end when its parent ends.
fn confine(rules: &Sandbox) -> Option<Confinement> {
    use nix::sys::resource::{Resource, setrlimit};
    let memory = if rules.devices.is_empty() { Resource::RLIMIT_AS } else { Resource::RLIMIT_DATA };
    for (resource, most) in [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_FSIZE, rules.file_bytes),
        (Resource::RLIMIT_NOFILE, FILES),
        (memory, rules.memory),
    ] {
        setrlimit(resource, most, most).ok()?;
    }
    if rules.niceness > 0 {
        // The system refuses only what would raise the priority of a process that stands back further already.
        let _ = niceness::stand_back(rules.niceness);
    }
    system::confine(rules)
}
