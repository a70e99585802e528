//! Makes films with ffmpeg and looks at the results.

use std::{path::Path, process::Command, sync::LazyLock};

use lantern_config::{Config, Films};
use lantern_media::{
    Error,
    film::{self, FilmFacts},
    tool::Tools,
};

pub const TOOLS: Tools = Tools::own();
pub static CONFIG: LazyLock<Films> = LazyLock::new(|| Config::load(None).unwrap().films);

pub fn ffmpeg(folder: &Path, args: &str) -> String {
    let mut command = Command::new("ffmpeg");
    command.current_dir(folder).args(["-nostdin", "-hide_banner", "-y"]);
    let out = command.args(args.split_whitespace()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{args}: {said}");
    said + &String::from_utf8_lossy(&out.stdout)
}

pub fn ffprobe(folder: &Path, args: &str) -> String {
    let mut command = Command::new("ffprobe");
    command.current_dir(folder).args(["-v", "error", "-of", "csv=p=0"]);
    let out = command.args(args.split_whitespace()).output().unwrap();
    // Streams of a playlist are printed again below.
    String::from_utf8_lossy(&out.stdout).trim().split("\n\n").next().unwrap_or_default().to_owned()
}

/// Returns the duration of a file in seconds.
pub fn seconds(folder: &Path, file: &str) -> f64 {
    ffprobe(folder, &format!("-show_entries format=duration {file}")).parse().unwrap()
}

/// Converts a film in place. Its folder then contains everything.
pub async fn make(folder: &Path, name: &str) -> Result<FilmFacts, Error> {
    let file = folder.join(name);
    let source = film::probe(&TOOLS, &file).await?;
    film::make(&TOOLS, &file, &source, (&*CONFIG).into(), folder, |_, _| ()).await
}

/// Returns the red, green and blue of a pixel in the picture or film at a time.
pub fn pixel(folder: &Path, file: &str, at: &str, [x, y]: [u32; 2]) -> [u8; 3] {
    let args = format!(
        "-nostdin -v error -i {file} -ss {at} -frames:v 1 -vf scale=flags=accurate_rnd+full_chroma_int,format=rgb24,crop=2:2:{x}:{y} \
         -f rawvideo -"
    );
    let out = Command::new("ffmpeg").current_dir(folder).args(args.split_whitespace()).output().unwrap();
    out.stdout
        .get(..3)
        .unwrap_or_else(|| panic!("{file}: {}", String::from_utf8_lossy(&out.stderr)))
        .try_into()
        .unwrap()
}

/// Returns the numbers that follow a word in ffmpeg's output.
pub fn times(said: &str, word: &str) -> Vec<f64> {
    let number = |rest: &str| rest.split(['\n', ' ', '|']).find(|part| !part.is_empty())?.parse().ok();
    said.split(word).skip(1).filter_map(number).collect()
}

/// Returns when a film becomes loud.
pub fn beep_times(folder: &Path, file: &str) -> Vec<f64> {
    let said = ffmpeg(folder, &format!("-i {file} -map 0:a -af silencedetect=n=-30dB:d=0.5 -f null -"));
    times(&said, "silence_end: ")
}
