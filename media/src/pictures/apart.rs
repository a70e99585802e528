//! Decodes pictures in a separate process, which cannot open files, make connections, or exceed its memory and time limits. An exploit in a
//! crafted file therefore cannot leave that process.

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
    time::Duration,
};

use lantern_catalog::prints::{LOOK_BYTES, Look};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
    time::timeout,
};

use super::{Crop, Kind, RefusedPicture, Rules, render};
use crate::{Error, Result, confined};

/// Subcommand of the program that calls [`run`] with its argument.
pub const COMMAND: &str = "decode-picture";

/// A picture that was decoded and encoded again.
#[derive(Debug)]
pub(super) struct Rendering {
    /// Width of the original picture in pixels, after rotating it upright.
    pub width: u32,
    /// Height of the original picture in pixels, after rotating it upright.
    pub height: u32,
    /// Perceptual hashes of the original, of the member's crop if there is one, of each of them without its border if it has one, and of
    /// the stored version if it has the shape of its kind. Each is hashed in all rotations and mirrorings. The list is empty for a
    /// picture with too little detail.
    pub looks: Vec<[Look; 8]>,
    /// JPEGs by width, largest first.
    pub sizes: Vec<(u32, Vec<u8>)>,
}

/// Exit codes of the process for refused pictures. Anything else, such as a signal, means that the decoder crashed.
const REFUSED: [(u8, RefusedPicture); 6] = [
    (3, RefusedPicture::Type),
    (4, RefusedPicture::Bytes),
    (5, RefusedPicture::Pixels),
    (7, RefusedPicture::Frames),
    (8, RefusedPicture::Outside),
    (9, RefusedPicture::SmallCrop),
];
/// Exit code of a process that could not be confined and therefore decoded nothing.
const NOT_CONFINED: u8 = 6;

/// Where pictures are decoded.
#[derive(Debug, Clone)]
pub enum Decoder {
    /// In a separate process for each picture, by a program that implements [`COMMAND`].
    Apart(PathBuf),
    /// In this process, without isolation. This is for tests of other parts.
    Here,
}

impl Decoder {
    /// Decodes in another process of this program.
    pub fn this_program() -> std::io::Result<Self> {
        confined::this_program().map(Self::Apart)
    }
}

/// What the process is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// Kind of the picture, which has several sizes. Without a kind, the only size is the original one.
    pub kind: Option<Kind>,
    /// Part of the picture to store, or `None` for all of it.
    pub crop: Option<Crop>,
    /// Limits of the picture and of the process.
    pub rules: Rules,
}

/// Returns the picture in the sizes of its kind.
pub(super) async fn decode(decoder: &Decoder, job: Job, bytes: Vec<u8>) -> Result<Rendering> {
    if bytes.len() > render::max_bytes(job.kind, &job.rules) {
        return Err(Error::Picture(RefusedPicture::Bytes));
    }
    match decoder {
        Decoder::Here => {
            let render = tokio::task::spawn_blocking(move || render::sizes(&bytes, &job));
            render.await.map_err(|_| Error::Picture(RefusedPicture::Type))?.map_err(Error::Picture)
        }
        Decoder::Apart(program) => {
            let time_ms = job.rules.time_ms;
            // Dropping the future on timeout kills the process.
            let decoded = timeout(Duration::from_millis(time_ms), run_decoder(program, &job, &bytes)).await;
            // An expensive picture hits its CPU limit first, so this timeout means that the machine is overloaded.
            decoded.unwrap_or_else(|_| {
                let (program, seconds) = ("the picture decoder", time_ms.div_ceil(1000));
                Err(Error::TimedOut { program, seconds, task: "decoding a picture".to_owned() })
            })
        }
    }
}

async fn run_decoder(program: &Path, job: &Job, bytes: &[u8]) -> Result<Rendering> {
    let job_text = serde_json::to_string(job).map_err(|e| Error::at(program)(e.into()))?;
    let mut child = Command::new(program)
        .arg(COMMAND)
        .arg(job_text)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(Error::at(program))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A process that exited early has closed its end of the pipe. Its exit code tells more.
        stdin.write_all(bytes).await.ok();
    }
    let mut answer = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(job.rules.memory).read_to_end(&mut answer).await.map_err(Error::at(program))?;
    }
    let status = child.wait().await.map_err(Error::at(program))?;
    match status.code() {
        Some(0) => read(&answer).ok_or(Error::Picture(RefusedPicture::Type)),
        Some(code) if code == i32::from(NOT_CONFINED) => Err(Error::Failed {
            program: "the picture decoder",
            task: "dropping privileges".to_owned(),
            detail: "this system has no seccomp filters or refuses its limits".to_owned(),
        }),
        code => {
            let refused = REFUSED.iter().find(|(known, _)| code == Some(i32::from(*known)));
            Err(Error::Picture(refused.map_or(RefusedPicture::Type, |(_, refused)| *refused)))
        }
    }
}

/// Parses the output. It contains the picture's width and height, the number of hash groups, and the hashes, followed by each size as
/// width, length and JPEG. Numbers have four bytes.
fn read(mut answer: &[u8]) -> Option<Rendering> {
    let number = |answer: &mut &[u8]| {
        let (number, rest) = answer.split_first_chunk::<4>()?;
        *answer = rest;
        Some(u32::from_le_bytes(*number))
    };
    let (width, height, amount) = (number(&mut answer)?, number(&mut answer)?, number(&mut answer)?);
    let mut rendered = Rendering { width, height, looks: Vec::new(), sizes: Vec::new() };
    for _ in 0..amount {
        let mut looks = [[0; LOOK_BYTES]; 8];
        for look in &mut looks {
            let (bytes, rest) = answer.split_first_chunk()?;
            (*look, answer) = (*bytes, rest);
        }
        rendered.looks.push(looks);
    }
    while !answer.is_empty() {
        let (width, length) = (number(&mut answer)?, number(&mut answer)?);
        let (jpeg, rest) = answer.split_at_checked(usize::try_from(length).ok()?)?;
        rendered.sizes.push((width, jpeg.to_vec()));
        answer = rest;
    }
    (!rendered.sizes.is_empty()).then_some(rendered)
}

fn write(rendered: &Rendering) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(&rendered.width.to_le_bytes())?;
    out.write_all(&rendered.height.to_le_bytes())?;
    out.write_all(&u32::try_from(rendered.looks.len()).map_err(std::io::Error::other)?.to_le_bytes())?;
    out.write_all(rendered.looks.as_flattened().as_flattened())?;
    for (width, jpeg) in &rendered.sizes {
        let length = u32::try_from(jpeg.len()).map_err(std::io::Error::other)?;
        out.write_all(&width.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(jpeg)?;
    }
    out.flush()
}

/// Runs in the child: drops all privileges, decodes one picture from standard input and writes its sizes to standard output. It must be
/// called before the program has started anything else.
#[must_use]
pub fn run(job: &str) -> ExitCode {
    let Ok(job) = serde_json::from_str::<Job>(job) else { return ExitCode::from(NOT_CONFINED) };
    if confine(&job.rules).is_none() {
        return ExitCode::from(NOT_CONFINED);
    }
    let mut bytes = Vec::new();
    let most = render::max_bytes(job.kind, &job.rules) as u64 + 1;
    let outcome = match std::io::stdin().lock().take(most).read_to_end(&mut bytes) {
        Ok(_) => render::sizes(&bytes, &job),
        Err(_) => Err(RefusedPicture::Type),
    };
    match outcome {
        Ok(rendered) => write(&rendered).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        Err(refused) => {
            let code = REFUSED.iter().find(|(_, known)| *known == refused);
            code.map_or(ExitCode::FAILURE, |(code, _)| ExitCode::from(*code))
        }
    }
}

/// Sets limits that cannot be raised again. The process cannot open files or sockets, create processes or threads, or write to anything but
/// its pipe.
fn confine(rules: &Rules) -> Option<()> {
    use nix::sys::resource::{Resource, setrlimit};
    for (resource, most) in [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_FSIZE, 0),
        (Resource::RLIMIT_NPROC, 0),
        (Resource::RLIMIT_NOFILE, 0),
        (Resource::RLIMIT_CPU, rules.cpu_seconds),
        (Resource::RLIMIT_AS, rules.memory),
    ] {
        setrlimit(resource, most, most).ok()?;
    }
    filter()
}

/// Allows only the system calls that a decoder needs for memory, its two pipes, and exiting. All others fail.
#[cfg(target_os = "linux")]
fn filter() -> Option<()> {
    use nix::libc;
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let allowed = [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_mmap,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_getrandom,
        libc::SYS_sigaltstack,
        // abort() resets the signal handler before raising the signal. If `rt_sigaction` were denied, abort() would
        // loop until the time limit.
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
    let rules = allowed.into_iter().map(|call| (call, Vec::new())).collect();
    let architecture = std::env::consts::ARCH.try_into().ok()?;
    let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let filter = SeccompFilter::new(rules, refuse, SeccompAction::Allow, architecture).ok()?;
    let program: BpfProgram = filter.try_into().ok()?;
    seccompiler::apply_filter(&program).ok()
}

/// Does nothing, because other systems enforce only the limits.
#[cfg(not(target_os = "linux"))]
fn filter() -> Option<()> {
    Some(())
}
