//! Programs that read what strangers sent, in a process that reaches nobody: it sets its limits, closes most of the system to
//! itself, and becomes the program.

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

use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::{Error, Result};

/// Sub-command of the program that calls [`become_program`] with its arguments.
pub const COMMAND: &str = "confined";
/// Exit code of a process that could not be confined, and so ran nothing.
pub(crate) const NOT_CONFINED: i32 = 97;
/// Open files: a film, its renditions, libraries.
const FILES: u64 = 256;

/// What programs may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of memory of one that only reads what a file is.
    pub probe_memory: u64,
    /// Bytes of each file it writes.
    pub file_bytes: u64,
    /// Whether nothing runs where the system doesn't enforce all of it.
    pub full: bool,
}

/// What this system enforces on confined programs, beside limits of memory, time and files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// System calls: those that a decoder needs, and no others.
    pub calls: bool,
    /// Files: those that it is given, and no others.
    pub files: bool,
    /// Signals: none to other processes, whatever calls may be made. The list of calls has none that sends them, so this is a second lock.
    pub signals: bool,
}

impl Confinement {
    /// Whether what a crafted file makes of a program stays in it.
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

/// What one program may take and open, as its process is told.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Cell {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of each file it writes.
    pub file_bytes: u64,
    /// Files and folders that it may read, beside what every program of the system needs.
    #[serde(default)]
    pub reads: Vec<PathBuf>,
    /// Folders in which it may do anything.
    #[serde(default)]
    pub writes: Vec<PathBuf>,
    /// Whether it doesn't run where the system doesn't enforce all of this.
    #[serde(default)]
    pub full: bool,
}

/// Who confines.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// A program that knows [`COMMAND`].
    pub program: PathBuf,
    /// What it allows.
    pub rules: Rules,
}

impl Launcher {
    /// Another process of this very program.
    pub fn this_program(rules: Rules) -> std::io::Result<Self> {
        Ok(Self { program: this_program()?, rules })
    }

    /// What the system enforces, as a process finds that confines itself and then ends.
    ///
    /// # Errors
    /// The process can't be started.
    pub async fn confinement(&self) -> Result<Confinement> {
        let Rules { memory, file_bytes, .. } = self.rules;
        let cell = serde_json::to_string(&Cell { memory, file_bytes, ..Cell::default() }).unwrap_or_default();
        let mut command = Command::new(&self.program);
        command.arg(COMMAND).arg(cell).env_clear().stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(Error::at(&self.program))?;
        // One that can't set its limits runs nothing.
        Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
    }

    /// A command that becomes `program`, to which arguments can be added. Nothing of the surroundings is handed on but where
    /// programs are.
    pub(crate) fn command(&self, program: &str, cell: &Cell) -> Command {
        let mut command = Command::new(&self.program);
        // A path that is no text can't be told, and the other side doesn't run what it wasn't told all of.
        let rules = serde_json::to_string(cell).unwrap_or_default();
        command.arg(COMMAND).arg(rules).arg(program).env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }
}

/// This very program, also after its file was replaced, and where its user may not look for it.
pub(crate) fn this_program() -> std::io::Result<PathBuf> {
    let linked = Path::new("/proc/self/exe");
    if linked.exists() { Ok(linked.to_owned()) } else { std::env::current_exe() }
}

/// The other side: gives up every right and becomes the program. Called before the program has started anything else; returns only
/// when that failed.
#[must_use]
pub fn become_program(rules: &str, command: &[OsString]) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let failed = ExitCode::from(NOT_CONFINED.unsigned_abs().try_into().unwrap_or(u8::MAX));
    let Ok(rules) = serde_json::from_str::<Cell>(rules) else { return failed };
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

/// Limits that can't be raised again, and an end with whoever started it.
fn confine(rules: &Cell) -> Option<Confinement> {
    use nix::sys::resource::{Resource, setrlimit};
    for (resource, most) in [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_FSIZE, rules.file_bytes),
        (Resource::RLIMIT_NOFILE, FILES),
        (Resource::RLIMIT_AS, rules.memory),
    ] {
        setrlimit(resource, most, most).ok()?;
    }
    system::confine(rules)
}
