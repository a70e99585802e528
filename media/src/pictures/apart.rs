//! Decoding in a process of its own, which opens nothing, reaches nobody and takes no more memory and time than it is given: what
//! a crafted file makes of a decoder ends there.

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

use super::{Kind, RefusedPicture, Rules, render};
use crate::{Error, Result, confined};

/// Sub-command of the program that calls [`run`] with its argument.
pub const COMMAND: &str = "decode-picture";

/// A picture that was decoded and written anew.
#[derive(Debug)]
pub(super) struct Rendering {
    /// Pixels of the picture as it was sent, upright.
    pub width: u32,
    /// Pixels of the picture as it was sent, upright.
    pub height: u32,
    /// What it looks like as it was sent, without its border where it has one, and where it is cropped as it is stored; each turned
    /// and mirrored in every way. Empty of one that shows too little.
    pub looks: Vec<[Look; 8]>,
    /// A JPEG in each width, the largest first.
    pub sizes: Vec<(u32, Vec<u8>)>,
}

/// Exit codes of the process for what it refuses. Anything else, such as a signal, is a decoder that broke.
const REFUSED: [(u8, RefusedPicture); 4] =
    [(3, RefusedPicture::Type), (4, RefusedPicture::Bytes), (5, RefusedPicture::Pixels), (7, RefusedPicture::Frames)];
/// Exit code of a process that could not be confined, and so decoded nothing.
const NOT_CONFINED: u8 = 6;

/// Where pictures are decoded.
#[derive(Debug, Clone)]
pub enum Decoder {
    /// In a process of its own for each picture: a program that knows [`COMMAND`].
    Apart(PathBuf),
    /// In this process, which suffers what the decoder suffers: for tests of everything else.
    Here,
}

impl Decoder {
    /// This very program in another process.
    pub fn this_program() -> std::io::Result<Self> {
        confined::this_program().map(Self::Apart)
    }
}

/// What the process is told: the sizes of a kind, or the whole picture.
#[derive(Debug, Serialize, Deserialize)]
struct Job {
    kind: Option<Kind>,
    rules: Rules,
}

/// The sizes of the picture's kind; without one the whole picture, as the only size.
pub(super) async fn decode(decoder: &Decoder, kind: Option<Kind>, rules: &Rules, bytes: Vec<u8>) -> Result<Rendering> {
    if bytes.len() > render::bytes_most(kind, rules) {
        return Err(Error::Picture(RefusedPicture::Bytes));
    }
    match decoder {
        Decoder::Here => {
            let rules = rules.clone();
            let render = tokio::task::spawn_blocking(move || render::sizes(&bytes, kind, &rules));
            render.await.map_err(|_| Error::Picture(RefusedPicture::Type))?.map_err(Error::Picture)
        }
        Decoder::Apart(program) => {
            let job = Job { kind, rules: rules.clone() };
            // Dropping the future on a time-out ends the process.
            let decoded = timeout(Duration::from_millis(rules.time_ms), ask(program, &job, &bytes)).await;
            // A picture that costs too much meets its limit of processor time; this is for want of a processor.
            decoded.unwrap_or_else(|_| {
                let (program, seconds) = ("the decoder of pictures", rules.time_ms.div_ceil(1000));
                Err(Error::TimedOut { program, seconds, task: "decoding a picture".to_owned() })
            })
        }
    }
}

async fn ask(program: &Path, job: &Job, bytes: &[u8]) -> Result<Rendering> {
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
        // One that ended early has closed its end; how it ended says more.
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
            program: "the decoder of pictures",
            task: "giving up its rights".to_owned(),
            detail: "this system has no seccomp filters or refuses its limits".to_owned(),
        }),
        code => {
            let refused = REFUSED.iter().find(|(known, _)| code == Some(i32::from(*known)));
            Err(Error::Picture(refused.map_or(RefusedPicture::Type, |(_, refused)| *refused)))
        }
    }
}

/// First the picture's width and height, the number of its looks and these; then each size is its width, its length and its JPEG.
/// Numbers have four bytes.
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

/// The other side: gives up every right, decodes one picture from standard input and writes its sizes to standard output. Called
/// before the program has started anything else.
#[must_use]
pub fn run(job: &str) -> ExitCode {
    let Ok(job) = serde_json::from_str::<Job>(job) else { return ExitCode::from(NOT_CONFINED) };
    if confine(&job.rules).is_none() {
        return ExitCode::from(NOT_CONFINED);
    }
    let mut bytes = Vec::new();
    let most = render::bytes_most(job.kind, &job.rules) as u64 + 1;
    let outcome = match std::io::stdin().lock().take(most).read_to_end(&mut bytes) {
        Ok(_) => render::sizes(&bytes, job.kind, &job.rules),
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

/// Limits that can't be raised again: no file or socket can be opened, no process or thread made, nothing be written but to the
/// pipe that is open.
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

/// The system calls a decoder needs: memory, its two pipes, its end. Every other one fails.
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
        // What aborts ends by a signal once it is handled no more; without this it would turn in circles until its time is up.
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

/// Other systems have the limits alone.
#[cfg(not(target_os = "linux"))]
fn filter() -> Option<()> {
    Some(())
}
