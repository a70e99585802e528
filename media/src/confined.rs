//! Programs that read what strangers sent, in a process that reaches nobody: it sets its limits, closes most of the system to
//! itself, and becomes the program.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde::{Deserialize, Serialize};
use tokio::process::Command;

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
    let Some((program, args)) = command.split_first() else { return failed };
    if confine(&rules).is_none() {
        return failed;
    }
    let error = std::process::Command::new::<&OsStr>(program).args(args).exec();
    eprintln!("{}: {error}", program.display());
    failed
}

/// Limits that can't be raised again, and an end with whoever started it.
fn confine(rules: &Cell) -> Option<()> {
    use nix::sys::resource::{Resource, setrlimit};
    for (resource, most) in [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_FSIZE, rules.file_bytes),
        (Resource::RLIMIT_NOFILE, FILES),
        (Resource::RLIMIT_AS, rules.memory),
    ] {
        setrlimit(resource, most, most).ok()?;
    }
    close_files(rules)?;
    filter()
}

/// What every program of the system reads: itself, its libraries, how many processors there are.
#[cfg(target_os = "linux")]
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/opt",
    "/nix",
    "/snap",
    "/etc/ld.so.cache",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system",
    "/proc/cpuinfo",
];

/// No file but those it is given and those of the system, where the kernel has Landlock (Linux 5.13 and later).
#[cfg(target_os = "linux")]
fn close_files(rules: &Cell) -> Option<()> {
    use landlock::{ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, path_beneath_rules};
    let all = AccessFs::from_all(ABI::V5);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A folder of programs that isn't where the system has them; never one that depends on where we are.
    let programs = std::env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.parent().is_some());
    let system = SYSTEM.iter().map(PathBuf::from).chain(programs);
    let ruleset = Ruleset::default().handle_access(all).ok()?.create().ok()?;
    let ruleset = ruleset.add_rules(path_beneath_rules(system, AccessFs::from_read(ABI::V5))).ok()?;
    let reads = AccessFs::ReadFile | AccessFs::ReadDir;
    let ruleset = ruleset.add_rules(path_beneath_rules(&rules.reads, reads)).ok()?;
    let ruleset = ruleset.add_rules(path_beneath_rules(&rules.writes, all)).ok()?;
    ruleset.restrict_self().ok().map(drop)
}

/// Other systems open what their user may.
#[cfg(not(target_os = "linux"))]
fn close_files(_: &Cell) -> Option<()> {
    Some(())
}

/// No connection, no other process, nothing of other processes and nothing of the system itself.
#[cfg(target_os = "linux")]
fn filter() -> Option<()> {
    use nix::libc;
    use seccompiler::{
        SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).ok()?;
    let closed = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_pidfd_send_signal,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_execveat,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_kexec_load,
        libc::SYS_open_by_handle_at,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_fork,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_vfork,
    ];
    let mut rules: std::collections::BTreeMap<_, _> = closed.into_iter().map(|call| (call, Vec::new())).collect();
    // Threads, and nothing else that could go on by itself.
    let thread = u64::try_from(libc::CLONE_THREAD).ok()?;
    let no_thread = SeccompCondition::new(0, Length::Qword, Compare::MaskedEq(thread), 0).ok()?;
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![no_thread]).ok()?]);
    let refuse = |rules, error: i32| {
        let (refuse, architecture) =
            (SeccompAction::Errno(error.cast_unsigned()), std::env::consts::ARCH.try_into().ok()?);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture).ok()?;
        let program: seccompiler::BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter(&program).ok()
    };
    // Its flags are behind a pointer that a filter can't follow: as on a system that doesn't have it, the older call is made.
    refuse([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS)?;
    refuse(rules, libc::EPERM)
}

/// Other systems have the limits alone.
#[cfg(not(target_os = "linux"))]
fn filter() -> Option<()> {
    Some(())
}
