//! Pictures taken from a film: the poster, ten screenshots, the hover strip and the seek bar. Also makes the preview clip for cards.

use std::{fmt::Write, ops::Range, path::Path};

use lantern_catalog::fingerprints;
use tokio::{fs, io::AsyncReadExt};

use super::{color::EXACT, fingerprint, ladder::SEGMENT_SECONDS};
use crate::{
    Error, Result,
    stores::{Store, StoreFailure},
    tool::Tools,
};

/// Number of screenshots per film. The catalog's `shot` column numbers them from 0.
pub const SHOTS: u8 = 10;
/// Widths of the screenshots, in pixels.
const WIDTHS: [u32; 2] = [320, 640];
/// Number of frames from which the most typical one becomes the screenshot, to avoid flashes and fades.
const CANDIDATES: u32 = 12;
/// Minimum seconds between two seek-bar pictures.
const MIN_STEP: u32 = 2;
/// Maximum number of seek-bar pictures.
pub const FRAMES_MOST: u32 = 200;
/// Seek-bar pictures per row.
pub const COLUMNS: u32 = 5;
/// Temporary file with the small gray frames for the fingerprint.
const FRAMES: &str = "frames.grey";
/// The poster in AVIF, which not every ffmpeg can write.
pub(crate) const AVIF: &str = "poster.avif";
/// Size of a seek-bar or hover picture, in pixels.
const THUMB: (u32, u32) = (160, 90);
/// The same size, as used in URLs.
pub const FORMAT: &str = "160x90";
/// File with all seek-bar pictures of a film.
pub const TIMELINE: &str = "timeline.jpg";
/// File with the cues of the seek-bar pictures.
const CUES: &str = "timeline.vtt";
/// Maximum size of the cues file in bytes. Each picture takes a few dozen.
const CUES_BYTES: u64 = 65_536;

/// Maximum number of parts in a preview clip.
const PREVIEW_PARTS: u32 = 6;
/// Seconds per part.
const PREVIEW_PART: u32 = 1;
/// Size of the preview clip in pixels, which is the size of a card's picture.
const PREVIEW: (u32, u32) = (320, 180);
/// Frames per second of the preview clip. These are enough to see motion and take half as many bytes.
const PREVIEW_RATE: u32 = 12;

/// Lists the files this module produces, except [`AVIF`].
pub(crate) fn names() -> impl Iterator<Item = String> {
    let shots = (0..SHOTS).flat_map(|shot| WIDTHS.map(|width| shot_name(shot, width)));
    ["poster.jpg", "poster.webp", "preview.mp4", "sprite.webp", TIMELINE, CUES]
        .into_iter()
        .map(str::to_owned)
        .chain(shots)
}

fn shot_name(shot: u8, width: u32) -> String {
    format!("shot-{shot}-{width}.webp")
}

/// Extracts all pictures of a film of `seconds` in `folder`: the large ones from the tall film, and the seek bar and preview clip from the
/// small one. All but the seek bar show only the seconds in `picture`. Returns the fingerprints of its frames.
///
/// # Errors
/// Returns [`Error::Failed`] if ffmpeg fails or doesn't write a picture.
pub async fn render(
    tools: &Tools,
    folder: &Path,
    [small, tall]: [&str; 2],
    seconds: f64,
    picture: &Range<f64>,
) -> Result<fingerprints::Frames> {
    let picture = &(picture.start.clamp(0.0, seconds)..picture.end.clamp(0.0, seconds));
    tools.ffmpeg(folder, "taking pictures of a film", screenshots(tall, picture, tools.avif().await?)).await?;
    let grey = folder.join(FRAMES);
    require(&grey).await?;
    let frames = fingerprint::of(&fs::read(&grey).await.map_err(Error::at(&grey))?);
    fs::remove_file(&grey).await.map_err(Error::at(&grey))?;
    // The end of a film may have no frame.
    for shot in 1..SHOTS {
        for width in WIDTHS {
            let [before, this] = [shot - 1, shot].map(|shot| folder.join(shot_name(shot, width)));
            require(&before).await?;
            if !fs::try_exists(&this).await.map_err(Error::at(&this))? {
                fs::copy(&before, &this).await.map_err(Error::at(&this))?;
            }
        }
    }
    tools.ffmpeg(folder, "making the preview clip of a film", preview(small, picture)).await?;
    let step = step(seconds);
    tools.ffmpeg(folder, "taking pictures for a seek bar", timeline(small, seconds, step)).await?;
    let file = folder.join(CUES);
    fs::write(&file, cues(seconds, step)).await.map_err(Error::at(&file))?;
    for name in names() {
        require(&folder.join(name)).await?;
    }
    Ok(frames)
}

/// Checks that ffmpeg has written a file. It exits successfully even if a film has no frame there.
async fn require(file: &Path) -> Result<()> {
    let found = fs::metadata(file).await;
    if found.as_ref().is_ok_and(|found| found.len() > 0) {
        return Ok(());
    }
    match found {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::at(file)(error)),
        _ => Err(Error::Failed {
            program: "ffmpeg",
            task: "taking pictures of a film".to_owned(),
            detail: format!("it wrote no {}", file.display()),
        }),
    }
}

/// Returns the filters that fill a size, cropping if the aspect ratio differs.
fn filled((width, height): (u32, u32)) -> String {
    format!("scale={width}:{height}:force_original_aspect_ratio=increase:flags=bicubic,crop={width}:{height},setsar=1")
}

/// Returns the filters that convert colors to those of pictures. JPEG and WebP have no mark for the colors of HDTV.
fn recolored(range: &str) -> String {
    format!("scale={EXACT}:out_color_matrix=bt601:out_range={range},setparams=colorspace=smpte170m:range={range}")
}

/// Returns arguments that open the film once per position, so that no more of it is read than needed. `avif` contains the arguments for the
/// AVIF encoder, if it is available.
fn screenshots(film: &str, picture: &Range<f64>, avif: Option<&str>) -> Vec<String> {
    let place = |share: f64| picture.start + share * (picture.end - picture.start);
    let shot = |number: u8| place((f64::from(number) + 0.5) / f64::from(SHOTS));
    let mut args = Vec::new();
    // The poster comes last.
    for at in (0..SHOTS).map(shot).chain([place(1.0 / 3.0)]) {
        args.extend(["-threads", "1", "-ss", &format!("{at:.3}"), "-i", film].map(str::to_owned));
    }
    let mut graph = String::new();
    for number in 0..SHOTS {
        write!(
            graph,
            "[{number}:v]trim=end_frame={CANDIDATES},split[a{number}][f{number}];\
             [a{number}]thumbnail={CANDIDATES},{},{},format=yuv420p[s{number}];\
             [f{number}]trim=end_frame=1,{},setsar=1[g{number}];",
            filled((640, 360)),
            recolored("limited"),
            fingerprint::filter()
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let all = |name: char| (0..SHOTS).map(|number| format!("[{name}{number}]")).collect::<String>();
    let (shots, frames) = (all('s'), all('g'));
    let (width, height) = THUMB;
    graph += &format!(
        "{frames}concat=n={SHOTS},setpts=N/TB[grey];{shots}concat=n={SHOTS},setpts=N/TB,split=3[large][a][b];[a]scale=320:180[small];\
         [b]scale={width}:{height}:flags=area,tile={SHOTS}x1[sprite];[{SHOTS}:v]trim=end_frame=1,{},{}",
        filled((1280, 720)),
        recolored("limited"),
    );
    let jpeg = format!("{},format=yuvj420p[jpeg]", recolored("full"));
    graph += &match avif {
        Some(_) => format!(",split=3[p][q][r];[p]{jpeg};[q]format=yuv420p[webp];[r]format=yuv420p[avif]"),
        None => format!(",split=2[p][q];[p]{jpeg};[q]format=yuv420p[webp]"),
    };
    args.extend(["-filter_complex".to_owned(), graph]);
    let outputs = "-map [small] -fps_mode passthrough -c:v libwebp -quality 68 -f image2 -start_number 0 shot-%d-320.webp \
         -map [large] -fps_mode passthrough -c:v libwebp -quality 70 -f image2 -start_number 0 shot-%d-640.webp \
         -map [sprite] -c:v libwebp -quality 75 -frames:v 1 -f image2 -update 1 sprite.webp \
         -map [jpeg] -c:v mjpeg -q:v 2 -frames:v 1 -f image2 -update 1 poster.jpg \
         -map [webp] -c:v libwebp -quality 75 -frames:v 1 -f image2 -update 1 poster.webp \
         -map [grey] -fps_mode passthrough -c:v rawvideo -f rawvideo";
    args.extend(outputs.split_whitespace().chain([FRAMES]).map(str::to_owned));
    if let Some(encoder) = avif {
        let output = format!("-map [avif] {encoder} -frames:v 1 -f avif {AVIF}");
        args.extend(output.split_whitespace().map(str::to_owned));
    }
    args
}

/// Returns the number of parts in a preview clip. Together they take at most half of the film.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hours")]
fn preview_parts(seconds: f64) -> u32 {
    ((seconds / f64::from(2 * PREVIEW_PART)) as u32).clamp(1, PREVIEW_PARTS)
}

/// Returns the arguments for a preview clip. It consists of seconds from all over the film, has no sound, and can be played while it is
/// loading.
fn preview(film: &str, picture: &Range<f64>) -> Vec<String> {
    let seconds = picture.end - picture.start;
    let parts = preview_parts(seconds);
    let mut args = Vec::new();
    let mut graph = String::new();
    for part in 0..parts {
        let at = picture.start + (f64::from(part) + 0.5) / f64::from(parts) * seconds - f64::from(PREVIEW_PART) / 2.0;
        let long = PREVIEW_PART.to_string();
        args.extend(
            ["-threads", "1", "-ss", &format!("{:.3}", at.max(0.0)), "-t", &long, "-i", film].map(str::to_owned),
        );
        write!(graph, "[{part}:v]fps={PREVIEW_RATE},{}[p{part}];", filled(PREVIEW))
            .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let all: String = (0..parts).map(|part| format!("[p{part}]")).collect();
    graph += &format!("{all}concat=n={parts},format=yuv420p[film]");
    args.extend(["-filter_complex".to_owned(), graph]);
    let output = "-map [film] -c:v libx264 -preset veryfast -profile:v main -crf 30 -maxrate 400k -bufsize 800k -an \
         -movflags +faststart preview.mp4";
    args.extend(output.split_whitespace().map(str::to_owned));
    args
}

/// Returns the seconds between two seek-bar pictures.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most some hundred seconds")]
fn step(seconds: f64) -> u32 {
    MIN_STEP.max((seconds / f64::from(FRAMES_MOST)).ceil() as u32)
}

/// Returns the number of seek-bar pictures.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most FRAMES_MOST")]
fn thumbs(seconds: f64, step: u32) -> u32 {
    ((seconds / f64::from(step)).ceil() as u32).clamp(1, FRAMES_MOST)
}

fn timeline(film: &str, seconds: f64, step: u32) -> Vec<String> {
    let rows = thumbs(seconds, step).div_ceil(COLUMNS);
    let (width, height) = THUMB;
    let mut args = Vec::new();
    if step >= 2 * SEGMENT_SECONDS {
        // At this distance, key frames are dense enough and nothing else has to be decoded.
        args.extend(["-skip_frame", "nokey"].map(str::to_owned));
    }
    let graph = format!(
        "fps=1/{step}:start_time=0,scale={width}:{height}:force_original_aspect_ratio=decrease:flags=area,\
         pad={width}:{height}:-1:-1,setsar=1,{},format=yuvj420p,tile={COLUMNS}x{rows}",
        recolored("full")
    );
    let rest =
        ["-i", film, "-vf", &graph, "-c:v", "mjpeg", "-q:v", "4", "-frames:v", "1", "-f", "image2", "-update", "1"];
    args.extend(rest.map(str::to_owned));
    args.push(TIMELINE.to_owned());
    args
}

/// Returns the cues, one for each part of `timeline.jpg`.
fn cues(seconds: f64, step: u32) -> String {
    let mut vtt = String::from("WEBVTT\n");
    let (width, height) = THUMB;
    for at in 0..thumbs(seconds, step) {
        let (from, to) = (f64::from(at * step), f64::from((at + 1) * step).min(seconds));
        let (x, y) = (at % COLUMNS * width, at / COLUMNS * height);
        write!(vtt, "\n{} --> {}\n{TIMELINE}#xywh={x},{y},{width},{height}\n", clock(from), clock(to))
            .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    vtt
}

/// Seek-bar pictures of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiles {
    /// Number of pictures.
    pub count: u32,
    /// Seconds between two pictures.
    pub interval: u32,
}

/// Returns the seek-bar pictures of the film in folder `key` of a store, or `None` if it has none.
pub async fn tiles(store: &Store, key: &str) -> std::result::Result<Option<Tiles>, StoreFailure> {
    let path = format!("{key}/{CUES}");
    if store.length(&path).await?.is_none() {
        return Ok(None);
    }
    let mut vtt = String::new();
    store.read(&path).await?.take(CUES_BYTES).read_to_string(&mut vtt).await.map_err(StoreFailure::Way)?;
    Ok(read_tiles(&vtt))
}

/// Parses cues.
fn read_tiles(vtt: &str) -> Option<Tiles> {
    let mut begins = vtt.lines().filter_map(|line| Some(line.split_once(" --> ")?.0));
    let interval = match begins.by_ref().nth(1) {
        Some(second) => {
            let mut parts = second.split('.').next()?.split(':').map(str::parse::<u32>);
            let mut next = || parts.next()?.ok();
            next()? * 3600 + next()? * 60 + next()?
        }
        None => MIN_STEP,
    };
    let count = vtt.matches(" --> ").count();
    Some(Tiles { count: count.try_into().ok().filter(|count| *count > 0)?, interval })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of some hours")]
fn clock(seconds: f64) -> String {
    let all = (seconds * 1000.0).round() as u64;
    let (seconds, milliseconds) = (all / 1000, all % 1000);
    format!("{:02}:{:02}:{:02}.{milliseconds:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_cover_the_film_and_refer_to_their_tiles() {
        let vtt = cues(13.04, step(13.04));
        assert!(vtt.starts_with("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\ntimeline.jpg#xywh=0,0,160,90\n"));
        assert!(vtt.contains("00:00:08.000 --> 00:00:10.000\ntimeline.jpg#xywh=640,0,160,90\n"));
        assert!(vtt.ends_with("00:00:12.000 --> 00:00:13.040\ntimeline.jpg#xywh=160,90,160,90\n"));
    }

    #[test]
    fn tiles_are_read_back_from_cues() {
        for (seconds, count, interval) in [(13.04, 7, 2), (0.4, 1, 2), (401.0, 134, 3), (43_200.0, 200, 216)] {
            let frames = Tiles { count, interval };
            assert_eq!(read_tiles(&cues(seconds, step(seconds))), Some(frames), "{seconds}");
            assert_eq!((step(seconds), thumbs(seconds, interval)), (interval, count));
        }
        assert_eq!(read_tiles("WEBVTT\n"), None);
        assert_eq!(FORMAT, format!("{}x{}", THUMB.0, THUMB.1));
    }

    #[test]
    fn preview_clip_has_parts_from_all_over_the_film() {
        assert_eq!((preview_parts(0.4), preview_parts(7.9), preview_parts(400.0)), (1, 3, 6));
        let args = preview("240.mp4", &(0.0..60.0)).join(" ");
        assert!(args.contains("-ss 4.500 -t 1 -i 240.mp4") && args.contains("-ss 54.500 -t 1 -i 240.mp4"), "{args}");
    }

    #[test]
    fn number_of_tiles_is_limited() {
        assert_eq!((step(400.0), thumbs(400.0, 2)), (2, 200));
        assert_eq!((step(43_200.0), thumbs(43_200.0, 216)), (216, 200));
        assert_eq!((step(0.4), thumbs(0.4, 2)), (2, 1));
    }
}
