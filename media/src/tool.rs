//! ffmpeg and ffprobe as child processes: an argument list (never a shell), a time limit, no standard input.

use std::{
    ffi::OsStr,
    path::Path,
    process::{Output, Stdio},
    time::Duration,
};

use tokio::{process::Command, time::timeout};

use crate::{Error, Result};

/// No single step of the demo may take longer; on two busy cores the slowest takes about 20 s.
pub(crate) const LIMIT: Duration = Duration::from_secs(300);
/// How much of a program's complaint is repeated to the operator, in lines.
const DETAIL_LINES: usize = 4;

/// The encoders the media pipeline uses.
const ENCODERS: [&str; 4] = ["libx264", "aac", "libwebp", "mjpeg"];
/// The filters that render the demo pictures and are not in every build.
const FILTERS: [&str; 9] =
    ["geq", "gradients", "mandelbrot", "life", "cellauto", "sierpinski", "avectorscope", "curves", "framerate"];

/// Runs ffmpeg in `dir` with the arguments given; `task` completes "while …" in an error.
pub async fn ffmpeg<A: AsRef<OsStr>>(dir: &Path, task: &str, args: impl IntoIterator<Item = A>) -> Result<()> {
    ffmpeg_within(LIMIT, dir, task, args).await
}

/// As [`ffmpeg`], but ended after `limit`.
pub async fn ffmpeg_within<A: AsRef<OsStr>>(
    limit: Duration,
    dir: &Path,
    task: &str,
    args: impl IntoIterator<Item = A>,
) -> Result<()> {
    let mut command = Command::new("ffmpeg");
    command.current_dir(dir).args(["-nostdin", "-hide_banner", "-v", "error", "-y"]).args(args);
    run("ffmpeg", limit, task, command).await.map(drop)
}

/// Runs ffprobe on one local file and returns what it prints.
///
/// # Errors
/// As [`ffmpeg`].
pub async fn ffprobe<A: AsRef<OsStr>>(file: &Path, args: impl IntoIterator<Item = A>) -> Result<String> {
    ffprobe_within(LIMIT, file, args).await
}

/// As [`ffprobe`], but ended after `limit`.
pub async fn ffprobe_within<A: AsRef<OsStr>>(
    limit: Duration,
    file: &Path,
    args: impl IntoIterator<Item = A>,
) -> Result<String> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-protocol_whitelist", "file"]).args(args).arg("-i").arg(file);
    let output = run("ffprobe", limit, &format!("reading {}", file.display()), command).await?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes sure ffmpeg is there and can do all that the demo clips ask of it.
///
/// # Errors
/// [`Error::Missing`] or [`Error::Incomplete`], naming what to install.
pub async fn check() -> Result<()> {
    let encoders = listing("-encoders").await?;
    let filters = listing("-filters").await?;
    let has = |list: &str, name: &str| list.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
    let lacking: Vec<&str> = ENCODERS
        .into_iter()
        .filter(|name| !has(&encoders, name))
        .chain(FILTERS.into_iter().filter(|name| !has(&filters, name)))
        .collect();
    if lacking.is_empty() { Ok(()) } else { Err(Error::Incomplete { lacking: lacking.join(", ") }) }
}

/// One of ffmpeg's own lists; its second column is the name.
async fn listing(what: &str) -> Result<String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-hide_banner", "-v", "error", what]);
    let output = run("ffmpeg", LIMIT, "listing what it can do", command).await?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

async fn run(program: &'static str, limit: Duration, task: &str, mut command: Command) -> Result<Output> {
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().map_err(
            |source| match source.kind() {
                std::io::ErrorKind::NotFound => Error::Missing { program },
                _ => Error::Io { path: program.into(), source },
            },
        )?;
    // Dropping the future on a time-out ends the child.
    let output = timeout(limit, child.wait_with_output())
        .await
        .map_err(|_| Error::TimedOut { program, seconds: limit.as_secs(), task: task.to_owned() })?
        .map_err(Error::at(Path::new(program)))?;
    if output.status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = complaint.lines().collect();
    let detail = lines[lines.len().saturating_sub(DETAIL_LINES)..].join("; ");
    Err(Error::Failed { program, task: task.to_owned(), detail })
}
