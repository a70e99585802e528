//! The ffmpeg commands that encode a film.

use std::path::Path;

use lantern_config::Preset;
use tokio::fs;

use super::{Hardware, Rendition, SEGMENT_SECONDS, name, sound, words};
use crate::{
    Error, Result,
    film::probe::{FORMATS, NOTICEABLE, Source},
    tool::Tools,
};

/// How films are encoded in H.264.
#[derive(Debug, Clone, Copy)]
pub struct Means<'a> {
    /// The hardware encoder, or `None` for x264.
    pub hardware: Option<&'a Hardware>,
    /// Speed of x264.
    pub preset: Preset,
}

/// Encodes all renditions in one pass over the source, up to the maximum length.
pub async fn run(
    tools: &Tools,
    file: &Path,
    source: &Source,
    renditions: &[Rendition],
    means: Means<'_>,
    folder: &Path,
    on_progress: impl Fn(f64),
) -> Result<()> {
    let tools = &tools.reading(file);
    for sound in sound::uneven(source) {
        let mut args = sound::decoding(file, source, sound);
        args.extend(limited(tools.max_seconds()));
        args.push(sound::even_file(sound));
        tools.ffmpeg(folder, "decoding the sound of a film", args).await?;
    }
    let args = encoding(file, source, renditions, means, tools.max_seconds());
    let devices = means.hardware.map_or(&[][..], Hardware::devices);
    tools.with_devices(devices).ffmpeg_with_progress(folder, "encoding a film", args, on_progress).await?;
    for sound in sound::uneven(source) {
        let even = folder.join(sound::even_file(sound));
        fs::remove_file(&even).await.map_err(Error::at(&even))?;
    }
    Ok(())
}

/// Returns the arguments that open the source. Its times are shifted so that the film starts at 0.
pub fn input(file: &Path, source: &Source) -> Vec<String> {
    let mut args: Vec<String> = words("-protocol_whitelist file -format_whitelist").collect();
    args.push(FORMATS.to_owned());
    args.extend(words(&format!("-seek_timestamp 1 -itsoffset {:.6} -i", -source.start)));
    args.push(file.display().to_string());
    args
}

/// Returns the arguments for the maximum length.
pub fn limited(max_seconds: Option<u32>) -> impl Iterator<Item = String> {
    // Without this limit, a gap of years between two frames would be filled with copies of the first frame.
    max_seconds.into_iter().flat_map(|seconds| ["-t".to_owned(), seconds.to_string()])
}

fn encoding(
    file: &Path,
    source: &Source,
    renditions: &[Rendition],
    means: Means<'_>,
    max_seconds: Option<u32>,
) -> Vec<String> {
    let mut args = means.hardware.map_or_else(Vec::new, Hardware::opening);
    args.extend(input(file, source));
    for sound in sound::uneven(source) {
        args.extend(words("-protocol_whitelist file -format_whitelist matroska -seek_timestamp 1 -i"));
        args.push(sound::even_file(sound));
    }
    let scaled: Vec<&Rendition> = renditions.iter().filter(|rendition| !rendition.is_copied).collect();
    if !scaled.is_empty() {
        args.extend([
            "-filter_complex".to_owned(),
            graph(source, &scaled, means.hardware.map_or("", Hardware::upload)),
        ]);
    }
    for (at, rendition) in renditions.iter().enumerate() {
        args.extend(video(source, rendition, means));
        args.extend(sound::encoding(source, rendition, at + 1 == renditions.len(), max_seconds));
        args.extend(
            words("-sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart").chain(limited(max_seconds)),
        );
        args.push(name(rendition.rung.height));
    }
    args
}

fn video(source: &Source, rendition: &Rendition, means: Means<'_>) -> Vec<String> {
    if rendition.is_copied {
        let copy = format!("-map 0:{} -c:v copy", source.index);
        return words(&copy)
            .chain(source.color.copied_marking().into_iter().flat_map(|mark| ["-bsf:v".to_owned(), mark]))
            .collect();
    }
    encoder(means, rendition, between_keys(source))
}

/// Returns the arguments that encode a rendition. Key frames are `between` frames apart.
pub fn encoder(Means { hardware, preset }: Means<'_>, rendition: &Rendition, between: u32) -> Vec<String> {
    let rung = rendition.rung;
    let arguments = match hardware {
        Some(hardware) => hardware.arguments(rung, between),
        None => format!(
            "-c:v libx264 -preset {} -profile:v high -crf {} -maxrate {}k -bufsize {}k \
             -g {between} -keyint_min {between} -sc_threshold 0 -pix_fmt yuv420p",
            preset.as_str(),
            rung.crf,
            rung.max_rate,
            u64::from(rung.max_rate) * 2
        ),
    };
    words(&format!("-map [v{}] {arguments}", rung.height)).collect()
}

/// Returns the frames from one key frame to the next, which are those of a segment.
pub fn between_keys(source: &Source) -> u32 {
    let (over, under) = source.rate;
    (over * SEGMENT_SECONDS).div_ceil(under)
}

/// Returns the filter graph. It decodes once, deinterlaces, fixes the frame rate, fills the film with still pictures where there are none and
/// converts colors, and then scales to each size. `last` contains the last filters of each size.
pub fn graph(source: &Source, renditions: &[&Rendition], last: &str) -> String {
    let (over, under) = source.rate;
    let mut graph = format!("[0:{}]", source.index);
    graph += source.deinterlacing;
    let start = if source.picture.start > NOTICEABLE { ":start_time=0" } else { "" };
    graph += &format!("fps={over}/{under}{start},");
    let rest = source.duration - source.picture.end;
    if rest > NOTICEABLE {
        graph += &format!("tpad=stop_mode=clone:stop_duration={rest:.3},");
    }
    let branches: String = renditions.iter().map(|rendition| format!("[s{}]", rendition.rung.height)).collect();
    graph += &format!("{}split={}{branches}", source.color.mapping(), renditions.len());
    for rendition in renditions {
        let name = rendition.rung.height;
        graph += &format!(";[s{name}]{},{}{last}[v{name}]", fitted(source, rendition), source.color.marking());
    }
    graph
}

/// Returns the filters that scale to a size. Pictures that change their shape in the middle of the film get bars. A difference of two pixels
/// comes from rounding.
fn fitted(source: &Source, Rendition { width, height, .. }: &Rendition) -> String {
    let is_same = format!("lte(abs(dar*{height}-{width}),2)+lte(abs({width}/dar-{height}),2)");
    let is_wider = format!("gt(dar*{height},{width})");
    format!(
        "scale=w='if({is_same}+{is_wider},{width},max(2,2*round(dar*{height}/2)))':\
         h='if({is_same}+not({is_wider}),{height},max(2,2*round({width}/dar/2)))':eval=frame{},\
         pad={width}:{height}:-1:-1:eval=frame,setsar=1,format=yuv420p",
        source.color.scaling()
    )
}
