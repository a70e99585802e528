//! Runs ffmpeg and ffprobe as child processes with an argument list (never a shell), a time limit and no standard input.

mod run;

use std::{
    collections::HashSet,
    ffi::OsStr,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{process::Command, sync::OnceCell};

use self::run::{Program, collect, run};
use crate::{
    Error, Result,
    confined::{Confinement, Launcher, Rules, Sandbox},
};

/// Time limit for each step of the demo. On two busy cores, the slowest step takes about 20 s.
const LIMIT: Duration = Duration::from_secs(300);
/// Time limit for trying an encoder. A driver needs seconds to start.
const TRIAL: Duration = Duration::from_secs(60);
/// Maximum bytes of output that is read line by line. This is enough for one line per packet in a film of a day.
const MAX_OUTPUT: u64 = 1 << 30;
/// Maximum bytes of output that is collected in memory.
const MAX_COLLECTED: u64 = 64 << 20;
/// Encoders used by the media pipeline.
const ENCODERS: [&str; 4] = ["libx264", "aac", "libwebp", "mjpeg"];
/// Filters for the demo that not every build has.
const FILTERS: [&str; 9] =
    ["geq", "gradients", "mandelbrot", "life", "cellauto", "sierpinski", "avectorscope", "curves", "framerate"];

/// How to run the programs.
#[derive(Debug, Clone)]
pub struct Tools {
    launcher: Option<Launcher>,
    limit: Duration,
    bounds: Option<Bounds>,
    reads: Vec<PathBuf>,
    niceness: u8,
    devices: Vec<PathBuf>,
}

/// Limits on decoding a film, regardless of what it declares.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum pixels per frame.
    pub pixels: u64,
    /// Maximum duration in seconds.
    pub seconds: u32,
    /// Maximum missing share of the declared duration, in percent.
    pub lost_percent: u8,
}

impl Tools {
    /// Runs programs unconfined. This is for films produced by Lantern.
    #[must_use]
    pub const fn own() -> Self {
        Self { launcher: None, limit: LIMIT, bounds: None, reads: Vec::new(), devices: Vec::new(), niceness: 0 }
    }

    /// Runs programs confined, for untrusted input. Each run is killed after `limit`.
    #[must_use]
    pub const fn confined(launcher: Launcher, limit: Duration) -> Self {
        Self { launcher: Some(launcher), limit, bounds: None, reads: Vec::new(), devices: Vec::new(), niceness: 0 }
    }

    /// Adds limits on decoding.
    #[must_use]
    pub const fn bounded(mut self, bounds: Bounds) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Adds a file or folder that the programs may read, in addition to the one being written.
    #[must_use]
    pub fn reading(&self, path: &Path) -> Self {
        let mut tools = self.clone();
        tools.reads.push(path.to_owned());
        tools
    }

    /// Sets the niceness of confined programs, 0 to 19.
    #[must_use]
    pub const fn with_niceness(mut self, niceness: u8) -> Self {
        self.niceness = niceness;
        self
    }

    /// Gives the programs access to these device files and to what the system says about its devices.
    #[must_use]
    pub(crate) fn with_devices(&self, devices: &[PathBuf]) -> Self {
        Self { devices: devices.to_owned(), ..self.clone() }
    }

    /// Returns what the system enforces on the programs, and whether that suffices to run them. Returns `None` if they aren't confined at
    /// all.
    ///
    /// # Errors
    /// Fails if the process that determines this cannot be started.
    pub async fn confinement(&self) -> Result<Option<(Confinement, bool)>> {
        let Some(launcher) = &self.launcher else { return Ok(None) };
        let found = launcher.confinement().await?;
        Ok(Some((found, found.is_full() || !launcher.rules.full)))
    }

    /// Returns the number of seconds to read, which is one above the maximum, so that longer films are detected.
    pub(crate) fn max_seconds(&self) -> Option<u32> {
        self.bounds.map(|bounds| bounds.seconds.saturating_add(1))
    }

    /// Returns the share of a film that may be missing.
    pub(crate) fn max_loss(&self) -> Option<f64> {
        self.bounds.map(|bounds| f64::from(bounds.lost_percent) / 100.0)
    }

    /// Returns a command that may write in `dir`. Without `dir`, it may not write anywhere and gets less memory, unless it has devices.
    fn command(&self, program: &str, dir: Option<&Path>) -> Command {
        let Some(launcher) = &self.launcher else { return Command::new(program) };
        let Rules { memory, probe_memory, file_bytes, full } = launcher.rules;
        let memory = if dir.is_some() || !self.devices.is_empty() { memory } else { probe_memory.min(memory) };
        let writes = dir.into_iter().map(Path::to_owned).collect();
        let (reads, devices, niceness) = (self.reads.clone(), self.devices.clone(), self.niceness);
        launcher.command(program, &Sandbox { memory, file_bytes, reads, writes, devices, full, niceness })
    }

    /// Returns arguments to be placed before a film. With them, the program aborts at a frame above the limit, before it allocates memory
    /// for that frame.
    fn bounds(&self) -> Vec<String> {
        let pixels = |bounds: Bounds| ["-max_pixels".to_owned(), bounds.pixels.to_string()];
        self.bounds.map(pixels).into_iter().flatten().collect()
    }

    /// Runs ffmpeg in `dir`. In an error, `task` follows the word "while".
    pub async fn ffmpeg<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        task: &str,
        args: impl IntoIterator<Item = A>,
    ) -> Result<()> {
        self.ffmpeg_with_progress(dir, task, args, |_| ()).await
    }

    /// Same as [`Tools::ffmpeg`], but calls `on_progress` with the number of seconds of output so far.
    pub async fn ffmpeg_with_progress<A: AsRef<OsStr>>(
        &self,
        dir: &Path,
        task: &str,
        args: impl IntoIterator<Item = A>,
        on_progress: impl Fn(f64),
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
        let on_line = |line: &str| {
            let at = line.strip_prefix("out_time_us=").and_then(|microseconds| microseconds.parse::<f64>().ok());
            on_progress(at.unwrap_or(0.0) / 1e6);
        };
        run(Program { name: "ffmpeg", task, limit: self.limit, output: MAX_OUTPUT }, command, on_line).await
    }

    /// Runs ffmpeg without a folder, to see whether it can encode. In an error, `task` follows the word "while".
    pub(crate) async fn try_encoder(&self, task: &str, args: Vec<String>) -> Result<()> {
        let mut command = self.command("ffmpeg", None);
        command.args(["-nostdin", "-hide_banner", "-v", "error"]).args(args);
        let program = Program { name: "ffmpeg", task, limit: self.limit.min(TRIAL), output: MAX_COLLECTED };
        run(program, command, |_| ()).await
    }

    /// Returns the arguments for AVIF if this ffmpeg supports it, which older or partial builds don't. This is checked only once.
    pub(crate) async fn avif(&self) -> Result<Option<&'static str>> {
        static FOUND: OnceCell<Option<&str>> = OnceCell::const_new();
        let look = async {
            let (encoders, formats) = (self.listing("-encoders").await?, self.listing("-muxers").await?);
            let (name, args) = AVIF;
            Ok((has(&encoders, name) && has(&formats, "avif")).then_some(args))
        };
        FOUND.get_or_try_init(|| look).await.copied()
    }

    /// Returns whether this ffmpeg has an encoder.
    pub(crate) async fn has_encoder(&self, name: &str) -> Result<bool> {
        Ok(has(&self.listing("-encoders").await?, name))
    }

    /// Returns one of ffmpeg's lists, whose second column contains the name.
    async fn listing(&self, what: &str) -> Result<String> {
        let mut command = self.command("ffmpeg", None);
        command.args(["-hide_banner", "-v", "error", what]);
        let program =
            Program { name: "ffmpeg", task: "listing its features", limit: self.limit, output: MAX_COLLECTED };
        collect(program, command).await
    }

    /// Returns the names of the codecs that this ffmpeg can decode. They are listed only once.
    pub(crate) async fn decodable(&self) -> Result<&'static HashSet<String>> {
        static FOUND: OnceCell<HashSet<String>> = OnceCell::const_new();
        let look = async {
            let list = self.listing("-codecs").await?;
            let name = |line: &str| {
                let mut columns = line.split_whitespace();
                columns.next().filter(|can| can.starts_with('D')).and(columns.next()).map(str::to_owned)
            };
            Ok(list.lines().filter_map(name).collect())
        };
        FOUND.get_or_try_init(|| look).await
    }

    /// Runs ffprobe on a local file and returns its output.
    pub async fn ffprobe<A: AsRef<OsStr>>(&self, file: &Path, args: impl IntoIterator<Item = A>) -> Result<String> {
        let task = format!("reading {}", file.display());
        let program = Program { name: "ffprobe", task: &task, limit: self.limit, output: MAX_COLLECTED };
        collect(program, self.probing(file, args)).await
    }

    /// Same as [`Tools::ffprobe`], but calls `on_line` with each line, and the output may be longer.
    pub(crate) async fn ffprobe_lines<A: AsRef<OsStr>>(
        &self,
        file: &Path,
        args: impl IntoIterator<Item = A>,
        on_line: impl FnMut(&str),
    ) -> Result<()> {
        let task = format!("reading {}", file.display());
        let program = Program { name: "ffprobe", task: &task, limit: self.limit, output: MAX_OUTPUT };
        run(program, self.probing(file, args), on_line).await
    }

    fn probing<A: AsRef<OsStr>>(&self, file: &Path, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = self.reading(file).command("ffprobe", None);
        command.args(["-v", "error", "-protocol_whitelist", "file"]).args(self.bounds());
        command.args(args).arg("-i").arg(file);
        command
    }
}

/// AVIF encoder with the arguments for a poster. libsvtav1 isn't used, because with it ffmpeg hangs if the disk is full.
const AVIF: (&str, &str) = ("libaom-av1", "-c:v libaom-av1 -usage allintra -cpu-used 8 -crf 32 -still-picture 1");

/// Checks that ffmpeg is installed and supports everything the demo clips need.
///
/// # Errors
/// Returns [`Error::Missing`] or [`Error::Incomplete`], which name what to install.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_encoders_of_this_ffmpeg_are_found() {
        assert!(Tools::own().has_encoder("libx264").await.unwrap());
        // The list also contains words that are not names.
        for name in ["libx", "codec", "Encoders:", "libx264-next"] {
            assert!(!Tools::own().has_encoder(name).await.unwrap(), "{name}");
        }
    }
}
