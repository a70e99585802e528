//! Restrictions on Linux. Landlock restricts files and signals, and seccomp restricts system calls.

use std::{collections::BTreeMap, path::PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
    path_beneath_rules,
};
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::{Confinement, Sandbox};

/// Paths that every program on the system reads: binaries, libraries and the number of processors.
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

/// Paths that a graphics card's driver reads in addition.
const DRIVERS: [&str; 6] =
    ["/sys/bus/pci", "/sys/class/drm", "/sys/dev/char", "/sys/devices", "/proc/driver/nvidia", "/proc/modules"];

/// Denies this process everything except what `rules` allow. Returns `None` if system calls cannot be restricted.
pub(super) fn confine(rules: &Sandbox) -> Option<Confinement> {
    let (files, signals) = restrict_files(rules)?;
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).ok()?;
    filter(!rules.devices.is_empty())?;
    Some(Confinement { calls: true, files, signals })
}

/// Denies access to all files except the allowed ones and those of the system, and denies sending signals to other processes. This depends
/// on the kernel's support for Landlock (since Linux 5.13, and 6.12 for signals). Returns whether the restrictions on files and on signals
/// are enforced.
fn restrict_files(rules: &Sandbox) -> Option<(bool, bool)> {
    let all = AccessFs::from_all(ABI::V5);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Program folders outside the system's usual ones. Folders relative to the working directory are never allowed.
    let programs = std::env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.parent().is_some());
    let system = SYSTEM.iter().map(PathBuf::from).chain(programs);
    let ruleset = Ruleset::default().handle_access(all).ok()?.handle_access(AccessNet::from_all(ABI::V4)).ok()?;
    let ruleset = ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket).ok()?.create().ok()?;
    let ruleset = ruleset.add_rules(path_beneath_rules(system, AccessFs::from_read(ABI::V5))).ok()?;
    let reads = AccessFs::ReadFile | AccessFs::ReadDir;
    let ruleset = ruleset.add_rules(path_beneath_rules(&rules.reads, reads)).ok()?;
    let ruleset = ruleset.add_rules(path_beneath_rules(&rules.writes, all)).ok()?;
    let drivers: &[&str] = if rules.devices.is_empty() { &[] } else { &DRIVERS };
    let ruleset = ruleset.add_rules(path_beneath_rules(drivers, reads)).ok()?;
    let control = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let ruleset = ruleset.add_rules(path_beneath_rules(&rules.devices, control)).ok()?;
    let status = ruleset.restrict_self().ok()?;
    Some(match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if status.ruleset != RulesetStatus::NotEnforced => {
            (true, effective_abi >= ABI::V6)
        }
        _ => (false, false),
    })
}

/// System calls that decoders, their libraries and the loader make. They are allowed with any arguments.
const ALLOWED: &[libc::c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_get_mempolicy,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mlock,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_munmap,
    libc::SYS_set_mempolicy,
    // Files, as far as Landlock allows.
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_execve,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fallocate,
    libc::SYS_fcntl,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_lseek,
    libc::SYS_mkdirat,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_umask,
    libc::SYS_unlinkat,
    libc::SYS_write,
    libc::SYS_writev,
    // Threads and time.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_get_robust_list,
    libc::SYS_getcpu,
    libc::SYS_getrusage,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_times,
    // Identity and environment.
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // Handling of received signals.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
];

/// Legacy equivalents of these calls, which don't exist on newer architectures.
#[cfg(target_arch = "x86_64")]
const LEGACY: &[libc::c_long] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_dup2,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_open,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_rmdir,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
    libc::SYS_unlink,
];
#[cfg(not(target_arch = "x86_64"))]
const LEGACY: &[libc::c_long] = &[];

/// Allowed ioctls. They query whether a file is a terminal and how wide it is, and set the blocking mode.
const IOCTLS: [u64; 5] = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONBIO, libc::FIONREAD, libc::FIOCLEX];
/// Kinds of ioctls that control graphics cards, in the second byte of their number: those of the kernel's drivers and of NVIDIA's.
const DEVICE_IOCTLS: [u8; 2] = [b'd', b'F'];
/// Numbers of the ioctls of NVIDIA's memory manager, which have no kind: its numbers are below 256, apart from those that open and close it.
const MEMORY_IOCTLS: [u64; 2] = [0x3000_0001, 0x3000_0002];
/// System calls that drivers make to wait for their device and to share buffers between their threads.
const DRIVER_CALLS: [libc::c_long; 2] = [libc::SYS_eventfd2, libc::SYS_memfd_create];
/// Allowed prctls. They get and set thread names, and libraries use them to query capabilities.
const PRCTLS: [libc::c_int; 3] = [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_CAPBSET_READ];

/// Installs the filter, which allows only the listed calls. The process can make no connections, create no child processes, and access
/// neither other processes nor the system. Calls for another architecture kill the process. Calls for x32 have other numbers and are
/// refused like all others. With devices, the process may control them.
fn filter(has_devices: bool) -> Option<()> {
    let mut rules: BTreeMap<_, _> = ALLOWED.iter().chain(LEGACY).map(|call| (*call, Vec::new())).collect();
    let argument = |at, operator, value| {
        SeccompRule::new(vec![SeccompCondition::new(at, Length::Dword, operator, value).ok()?]).ok()
    };
    let one_of = |at, values: Vec<u64>| -> Option<Vec<SeccompRule>> {
        values.into_iter().map(|value| argument(at, Compare::Eq, value)).collect()
    };
    let mut ioctls = one_of(1, IOCTLS.to_vec())?;
    if has_devices {
        for kind in DEVICE_IOCTLS {
            ioctls.push(argument(1, Compare::MaskedEq(0xff00), u64::from(kind) << 8)?);
        }
        ioctls.push(argument(1, Compare::MaskedEq(0xffff_ff00), 0)?);
        ioctls.extend(one_of(1, MEMORY_IOCTLS.to_vec())?);
        rules.extend(DRIVER_CALLS.map(|call| (call, Vec::new())));
    }
    let own = u64::from(std::process::id());
    let thread = u64::try_from(libc::CLONE_THREAD).ok()?;
    let names = |numbers: &[libc::c_int]| numbers.iter().map(|number| u64::from(number.cast_unsigned())).collect();
    rules.extend([
        // It may create threads, but no processes that could outlive this one.
        (libc::SYS_clone, vec![argument(0, Compare::MaskedEq(thread), thread)?]),
        (libc::SYS_ioctl, ioctls),
        (libc::SYS_prctl, one_of(0, names(&PRCTLS))?),
        // It may query and lower its own limits, but not raise them.
        (libc::SYS_prlimit64, one_of(0, vec![0])?),
        // abort() sends a signal to its own process, whose id stays the same after exec.
        (libc::SYS_tgkill, one_of(0, vec![own])?),
        // This call is refused below with a different error.
        (libc::SYS_clone3, Vec::new()),
    ]);
    let install = |rules, (others, these): (SeccompAction, SeccompAction)| {
        let filter = SeccompFilter::new(rules, others, these, std::env::consts::ARCH.try_into().ok()?).ok()?;
        let program: BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter(&program).ok()
    };
    let refuse = |error: i32| SeccompAction::Errno(error.cast_unsigned());
    // The flags of clone3() are behind a pointer, which a filter cannot follow. ENOSYS makes libraries fall back to clone().
    install([(libc::SYS_clone3, Vec::new())].into(), (SeccompAction::Allow, refuse(libc::ENOSYS)))?;
    install(rules, (refuse(libc::EPERM), SeccompAction::Allow))
}
