//! ffmpeg and ffprobe as child processes: an argument list (never a shell), a time limit, no standard input.

use std::{ffi::OsStr, path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader},
    process::Command,
    time::timeout,
};

use crate::{
    Error, Result,
    confined::{Launcher, NOT_CONFINED},
};

/// No single step of the demo may take longer; on two busy cores the slowest takes about 20 s.
const LIMIT: Duration = Duration::from_secs(300);
/// How much of a program's complaint is repeated to the operator, in lines.
const DETAIL_LINES: usize = 4;
/// How much of it is kept until then, in bytes.
const COMPLAINT: usize = 4096;
/// How much a program may print: the packets of a film of half a day, a line each.
const PRINTED: u64 = 64 << 20;

/// The encoders the media pipeline uses.
const ENCODERS: [&str; 4] = ["libx264", "aac", "libwebp", "mjpeg"];
/// The filters that render the demo pictures and are not in every build.
const FILTERS: [&str; 9] =
    ["geq", "gradients", "mandelbrot", "life", "cellauto", "sierpinski", "avectorscope", "curves", "framerate"];

/// How the programs are run.
#[derive(Debug, Clone)]
pub struct Tools {
    launcher: Option<Launcher>,
    limit: Duration,
}

impl Tools {
    /// As they are, for films that are our own.
    #[must_use]
    pub const fn own() -> Self {
        Self { launcher: None, limit: LIMIT }
    }

    /// Confined, for what strangers sent; each run is ended after `limit`.
    #[must_use]
    pub const fn confined(launcher: Launcher, limit: Duration) -> Self {
        Self { launcher: Some(launcher), limit }
    }

    fn command(&self, program: &str) -> Command {
        self.launcher.as_ref().map_or_else(|| Command::new(program), |launcher| launcher.command(program))
    }

    /// Runs ffmpeg in `dir` with the arguments given; `task` completes "while …" in an error.
    pub async fn ffmpeg<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        task: &str,
        args: impl IntoIterator<Item = A>,
    ) -> Result<()> {
        self.ffmpeg_seen(dir, task, args, |_| ()).await
    }

    /// As [`Tools::ffmpeg`]; `seen` hears how many seconds of the result there are.
    pub async fn ffmpeg_seen<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        task: &str,
        args: impl IntoIterator<Item = A>,
        seen: impl Fn(f64),
    ) -> Result<()> {
        let mut command = self.command("ffmpeg");
        command.current_dir(dir).args([
            "-nostdin",
            "-hide_banner",
            "-v",
            "error",
            "-nostats",
            "-progress",
            "pipe:1",
            "-y",
        ]);
        command.args(args);
        let heard = |line: &str| {
            let at = line.strip_prefix("out_time_us=").and_then(|microseconds| microseconds.parse::<f64>().ok());
            seen(at.unwrap_or(0.0) / 1e6);
        };
        run("ffmpeg", self.limit, task, command, heard).await
    }

    /// Runs ffprobe on one local file and returns what it prints.
    ///
    /// # Errors
    /// As [`Tools::ffmpeg`].
    pub async fn ffprobe<A: AsRef<OsStr>>(&self, file: &Path, args: impl IntoIterator<Item = A>) -> Result<String> {
        let mut command = self.command("ffprobe");
        command.args(["-v", "error", "-protocol_whitelist", "file"]).args(args).arg("-i").arg(file);
        let mut told = String::new();
        let task = format!("reading {}", file.display());
        run("ffprobe", self.limit, &task, command, |line| {
            told.push_str(line);
            told.push('\n');
        })
        .await?;
        Ok(told)
    }
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
    let mut told = String::new();
    run("ffmpeg", LIMIT, "listing what it can do", command, |line| {
        told.push_str(line);
        told.push('\n');
    })
    .await?;
    Ok(told)
}

/// Runs a program to its end; `heard` gets each line it prints.
async fn run(
    program: &'static str,
    limit: Duration,
    task: &str,
    mut command: Command,
    heard: impl FnMut(&str),
) -> Result<()> {
    let io = Error::at(Path::new(program));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().map_err(
            |source| match source.kind() {
                std::io::ErrorKind::NotFound => Error::Missing { program },
                _ => Error::Io { path: program.into(), source },
            },
        )?;
    let (out, complaints) = (child.stdout.take(), child.stderr.take());
    let ended = async {
        let (printed, complaint) = tokio::join!(lines(out, heard), tail(complaints));
        printed?;
        Ok((child.wait().await?, complaint?))
    };
    // Dropping the future on a time-out ends the child.
    let ended: std::io::Result<_> = timeout(limit, ended).await.map_err(|_| Error::TimedOut {
        program,
        seconds: limit.as_secs(),
        task: task.to_owned(),
    })?;
    let (status, complaint) = ended.map_err(io)?;
    let task = task.to_owned();
    match status.code() {
        Some(0) => Ok(()),
        Some(NOT_CONFINED) => Err(Error::NotConfined { program }),
        Some(_) => Err(Error::Failed { program, task, detail: last_lines(&complaint) }),
        None => Err(Error::Killed { program, task }),
    }
}

async fn lines(from: Option<impl AsyncRead + Unpin>, mut heard: impl FnMut(&str)) -> std::io::Result<()> {
    let Some(from) = from else { return Ok(()) };
    let mut reader = BufReader::new(from.take(PRINTED));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).await? > 0 {
        heard(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}

/// The end of what a program complains of, which may be endless.
async fn tail(from: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let (mut kept, mut block) = (Vec::new(), [0; COMPLAINT]);
    let Some(mut from) = from else { return Ok(kept) };
    loop {
        match from.read(&mut block).await? {
            0 => return Ok(kept),
            read => kept.extend_from_slice(&block[..read]),
        }
        kept.drain(..kept.len().saturating_sub(COMPLAINT));
    }
}

fn last_lines(complaint: &[u8]) -> String {
    let complaint = String::from_utf8_lossy(complaint);
    let lines: Vec<&str> = complaint.lines().collect();
    lines[lines.len().saturating_sub(DETAIL_LINES)..].join("; ")
}
