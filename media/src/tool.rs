//! ffmpeg and ffprobe as child processes: an argument list (never a shell), a time limit, no standard input.

use std::{
    ffi::OsStr,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader},
    process::Command,
    sync::OnceCell,
    time::timeout,
};

use crate::{
    Error, Result,
    confined::{Cell, Confinement, Launcher, NOT_CONFINED, Rules},
};

/// No single step of the demo may take longer; on two busy cores the slowest takes about 20 s.
const LIMIT: Duration = Duration::from_secs(300);
/// How much of a program's complaint is repeated to the operator, in lines.
const DETAIL_LINES: usize = 4;
/// How much of it is kept until then, in bytes.
const COMPLAINT: usize = 4096;
/// How much a program may print: the packets of a film of half a day, a line each.
const PRINTED: u64 = 64 << 20;

/// What programs complain of when the disk is full.
const FULL: &[u8] = b"No space left on device";

/// Exit code of the system's loader where a library is missing, or lies where nothing may be read.
const NOT_LOADED: i32 = 127;
/// Signals by which the system and operators end programs; any other is what a file made of one.
const ENDED_FROM_OUTSIDE: [i32; 4] = [nix::libc::SIGKILL, nix::libc::SIGTERM, nix::libc::SIGINT, nix::libc::SIGHUP];

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
    bounds: Option<Bounds>,
    reads: Vec<PathBuf>,
}

/// How much of a film is decoded, whatever it says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Pixels of a frame at most.
    pub pixels: u64,
    /// Seconds at most.
    pub seconds: u32,
    /// How much of the length it says it has may be missing, in percent.
    pub lost_percent: u8,
}

impl Tools {
    /// As they are, for films that are our own.
    #[must_use]
    pub const fn own() -> Self {
        Self { launcher: None, limit: LIMIT, bounds: None, reads: Vec::new() }
    }

    /// Confined, for what strangers sent; each run is ended after `limit`.
    #[must_use]
    pub const fn confined(launcher: Launcher, limit: Duration) -> Self {
        Self { launcher: Some(launcher), limit, bounds: None, reads: Vec::new() }
    }

    /// The same, with bounds for what is decoded.
    #[must_use]
    pub const fn bounded(mut self, bounds: Bounds) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// The same, for work that reads a file or folder elsewhere than where it writes.
    #[must_use]
    pub fn reading(&self, path: &Path) -> Self {
        let mut tools = self.clone();
        tools.reads.push(path.to_owned());
        tools
    }

    /// What the system enforces on the programs, and whether that is enough to run them; `None` where they aren't confined at all.
    ///
    /// # Errors
    /// A process to find that out can't be started.
    pub async fn confinement(&self) -> Result<Option<(Confinement, bool)>> {
        let Some(launcher) = &self.launcher else { return Ok(None) };
        let found = launcher.confinement().await?;
        Ok(Some((found, found.is_full() || !launcher.rules.full)))
    }

    /// Seconds that a film is read for: one more than it may have tells that it has more.
    pub(crate) fn most_seconds(&self) -> Option<u32> {
        self.bounds.map(|bounds| bounds.seconds.saturating_add(1))
    }

    /// Which part of a film may be missing.
    pub(crate) fn most_lost(&self) -> Option<f64> {
        self.bounds.map(|bounds| f64::from(bounds.lost_percent) / 100.0)
    }

    /// A program that may write in `dir`, or nowhere, and reads little then.
    fn command(&self, program: &str, dir: Option<&Path>) -> Command {
        let Some(launcher) = &self.launcher else { return Command::new(program) };
        let Rules { memory, probe_memory, file_bytes, full } = launcher.rules;
        let memory = if dir.is_some() { memory } else { probe_memory.min(memory) };
        let writes = dir.into_iter().map(Path::to_owned).collect();
        launcher.command(program, &Cell { memory, file_bytes, reads: self.reads.clone(), writes, full })
    }

    /// Arguments before a film: a frame larger than it may be ends the work before there is memory for it.
    fn bounds(&self) -> Vec<String> {
        let pixels = |bounds: Bounds| ["-max_pixels".to_owned(), bounds.pixels.to_string()];
        self.bounds.map(pixels).into_iter().flatten().collect()
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
        let mut command = self.command("ffmpeg", Some(dir));
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
        command.args(self.bounds()).args(args);
        let heard = |line: &str| {
            let at = line.strip_prefix("out_time_us=").and_then(|microseconds| microseconds.parse::<f64>().ok());
            seen(at.unwrap_or(0.0) / 1e6);
        };
        run("ffmpeg", self.limit, task, command, heard).await
    }

    /// The arguments for AVIF, which came late to ffmpeg and isn't in every build; asked for once.
    pub(crate) async fn avif(&self) -> Result<Option<&'static str>> {
        static FOUND: OnceCell<Option<&str>> = OnceCell::const_new();
        let look = async {
            let (encoders, formats) = (self.listing("-encoders").await?, self.listing("-muxers").await?);
            let (name, args) = AVIF;
            Ok((has(&encoders, name) && has(&formats, "avif")).then_some(args))
        };
        FOUND.get_or_try_init(|| look).await.copied()
    }

    /// One of ffmpeg's own lists; its second column is the name.
    async fn listing(&self, what: &str) -> Result<String> {
        let mut command = self.command("ffmpeg", None);
        command.args(["-hide_banner", "-v", "error", what]);
        let mut output = String::new();
        run("ffmpeg", self.limit, "listing what it can do", command, |line| {
            output.push_str(line);
            output.push('\n');
        })
        .await?;
        Ok(output)
    }

    /// Runs ffprobe on one local file and returns what it prints.
    pub async fn ffprobe<A: AsRef<OsStr>>(&self, file: &Path, args: impl IntoIterator<Item = A>) -> Result<String> {
        let mut command = self.reading(file).command("ffprobe", None);
        command.args(["-v", "error", "-protocol_whitelist", "file"]).args(self.bounds());
        command.args(args).arg("-i").arg(file);
        let mut output = String::new();
        let task = format!("reading {}", file.display());
        run("ffprobe", self.limit, &task, command, |line| {
            output.push_str(line);
            output.push('\n');
        })
        .await?;
        Ok(output)
    }
}

/// What writes AVIF, with the arguments that make a poster of it. Not libsvtav1: on a full disk ffmpeg never ends with it.
const AVIF: (&str, &str) = ("libaom-av1", "-c:v libaom-av1 -usage allintra -cpu-used 8 -crf 32 -still-picture 1");

/// Makes sure ffmpeg is there and can do all that the demo clips ask of it.
///
/// # Errors
/// [`Error::Missing`] or [`Error::Incomplete`], naming what to install.
pub async fn check() -> Result<()> {
    let tools = Tools::own();
    let encoders = tools.listing("-encoders").await?;
    let filters = tools.listing("-filters").await?;
    let lacking: Vec<&str> = ENCODERS
        .into_iter()
        .filter(|name| !has(&encoders, name))
        .chain(FILTERS.into_iter().filter(|name| !has(&filters, name)))
        .collect();
    if lacking.is_empty() { Ok(()) } else { Err(Error::Incomplete { lacking: lacking.join(", ") }) }
}

fn has(list: &str, name: &str) -> bool {
    list.lines().any(|line| line.split_whitespace().nth(1) == Some(name))
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
    // The end of a file is written when ffmpeg has decided on its exit code, and other complaints may follow.
    if complaint.windows(FULL.len()).any(|part| part == FULL) {
        return Err(Error::Io { path: program.into(), source: std::io::ErrorKind::StorageFull.into() });
    }
    let task = task.to_owned();
    match status.code() {
        Some(0) => Ok(()),
        Some(NOT_CONFINED | NOT_LOADED) => Err(Error::NotConfined { program }),
        Some(_) => Err(Error::Failed { program, task, detail: last_lines(&complaint) }),
        None => match status.signal() {
            Some(signal) if !ENDED_FROM_OUTSIDE.contains(&signal) => {
                let detail = format!("it broke (signal {signal}); {}", last_lines(&complaint));
                Err(Error::Failed { program, task, detail })
            }
            _ => Err(Error::Killed { program, task }),
        },
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
    // What stands in a file may be repeated there.
    lines[lines.len().saturating_sub(DETAIL_LINES)..].join("; ").replace(char::is_control, " ")
}
