//! Tests that films from phones, cameras, discs and old programs stay upright and in sync and keep their length.
//!
//! Every two seconds, each film flashes and beeps simultaneously. Only the upper half of the picture flashes. The lower half shows
//! patches of color.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod kinds;

use std::{path::Path, process::Command, sync::LazyLock};

use futures_util::{StreamExt, stream};
use lantern_catalog::fingerprints::Frames;
use lantern_config::{Config, Films};
use lantern_media::{film, tool::Tools};

use self::kinds::{FILMS, Film, H264};

const TOOLS: Tools = Tools::own();
static CONFIG: LazyLock<Films> = LazyLock::new(|| Config::load(None).unwrap().films);
const SECONDS: f64 = 6.0;
/// Maximum offset between sound and picture, in seconds.
const APART: f64 = 0.05;
/// Maximum difference between a color and the same color of the source.
const OFF: u8 = 2;
/// Colors of the patches, from left to right.
const PATCHES: [&str; 4] = ["0xc81e28", "0x28b43c", "0x323cc8", "0x808080"];
const BEEP: &str = "aevalsrc='if(lt(mod(t,2),0.2),0.5*sin(6000*t),0)':s=48000:d=6";

fn ffmpeg(folder: &Path, args: &[&str]) -> String {
    let out = Command::new("ffmpeg")
        .current_dir(folder)
        .args(["-nostdin", "-hide_banner", "-y"])
        .args(args)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{args:?}: {said}");
    said + &String::from_utf8_lossy(&out.stdout)
}

fn flashes(size_and_rate: &str) -> String {
    let patches: String = (0..)
        .zip(PATCHES)
        .map(|(at, color)| format!(",drawbox=x=iw*{at}/4:y=ih/2:w=iw/4:h=ih/2:color={color}:t=fill"))
        .collect();
    format!("color=black:{size_and_rate}:d=6,drawbox=h=ih/2:color=white:t=fill:enable='lt(mod(t,2),0.2)'{patches}")
}

/// Returns the red, green and blue of the patches, between two flashes.
fn patches(folder: &Path, file: &str) -> Vec<[u8; 3]> {
    // The middles of the patches of the upright film.
    let shown = "scale=iw*max(sar\\,1):ih:flags=accurate_rnd+full_chroma_int,format=rgb24,crop=iw:2:0:ih*3/4,scale=32:1:flags=area";
    let out = Command::new("ffmpeg")
        .current_dir(folder)
        .args(["-nostdin", "-v", "error", "-i", file, "-ss", "1", "-map", "0:v", "-frames:v", "1", "-vf", shown])
        .args(["-f", "rawvideo", "-"])
        .output()
        .unwrap();
    assert_eq!(out.stdout.len(), 32 * 3, "{file}: {}", String::from_utf8_lossy(&out.stderr));
    (0..PATCHES.len()).map(|patch| out.stdout[(patch * 8 + 4) * 3..][..3].try_into().unwrap()).collect()
}

/// Creates the film and its converted files in `folder`.
async fn made(folder: &Path, film: &Film) -> film::Source {
    let picture = flashes(film.picture);
    let mut args = vec!["-f", "lavfi", "-i", &picture, "-f", "lavfi", "-i", BEEP];
    args.extend(film.written.split(' '));
    args.push(film.name);
    ffmpeg(folder, &args);
    let file = folder.join(film.name);
    let source = film::probe(&TOOLS, &file).await.unwrap_or_else(|error| panic!("{}: {error}", film.name));
    let made = film::make(&TOOLS, &file, &source, (&*CONFIG).into(), folder, |_, _| ()).await;
    let made = made.unwrap_or_else(|error| panic!("{}: {error}", film.name));
    assert!((made.duration - SECONDS).abs() < 0.35, "{}: {made:?}", film.name);
    assert_eq!(u32::from(made.height), film.shown.0.min(film.shown.1), "{}", film.name);
    let size = ffprobe(folder, &["-select_streams", "v", "-show_entries", "stream=width,height", "video.mp4"]);
    assert_eq!(size, format!("{},{}", film.shown.0, film.shown.1), "{}", film.name);
    source
}

/// Returns the numbers that follow a word in ffmpeg's output.
fn times(said: &str, word: &str) -> Vec<f64> {
    said.split(word)
        .skip(1)
        .filter_map(|rest| rest.split(['\n', ' ', '|']).find(|part| !part.is_empty())?.parse().ok())
        .collect()
}

/// Returns when the upper half of a film becomes bright, ignoring the first second.
fn flash_times(folder: &Path, file: &str) -> Vec<f64> {
    let shown = "crop=iw:ih/2:0:0,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-";
    let said = ffmpeg(folder, &["-i", file, "-map", "0:v", "-vf", shown, "-f", "null", "-"]);
    let (at, bright) = (times(&said, "pts_time:"), times(&said, "YAVG="));
    let frames: Vec<(f64, bool)> = at.into_iter().zip(bright.into_iter().map(|bright| bright > 200.0)).collect();
    frames.windows(2).filter(|pair| !pair[0].1 && pair[1].1 && pair[1].0 > 1.0).map(|pair| pair[1].0).collect()
}

/// Returns when a film becomes loud.
fn beep_times(folder: &Path, file: &str) -> Vec<f64> {
    let said = ffmpeg(folder, &["-i", file, "-map", "0:a", "-af", "silencedetect=n=-30dB:d=0.5", "-f", "null", "-"]);
    times(&said, "silence_end: ").into_iter().filter(|at| *at > 1.0 && *at < 5.5).collect()
}

fn ffprobe(folder: &Path, args: &[&str]) -> String {
    let out = Command::new("ffprobe")
        .current_dir(folder)
        .args(["-v", "error", "-of", "csv=p=0"])
        .args(args)
        .output()
        .unwrap();
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}

fn seconds(folder: &Path, file: &str) -> f64 {
    ffprobe(folder, &["-show_entries", "format=duration", file]).parse().unwrap()
}

async fn converts(film: &Film) {
    let folder = tempfile::tempdir().unwrap();
    let (folder, name) = (folder.path(), film.name);
    made(folder, film).await;
    let rate = ffprobe(folder, &["-select_streams", "v", "-show_entries", "stream=avg_frame_rate", "video.mp4"]);
    let (over, under) = rate.split_once('/').unwrap();
    assert!(over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap() <= 60.0, "{name}: {rate} frames per second");
    if name == "hdr-call.mp4" {
        let shown = ["-select_streams", "v", "-show_entries", "stream=color_transfer,color_primaries", "video.mp4"];
        assert_eq!(ffprobe(folder, &shown), "bt709,bt709", "every player shows such colors");
    }
    let source = patches(folder, name);
    let long = seconds(folder, "hls/master.m3u8");
    assert!((long - SECONDS).abs() < 0.35, "{name}: the playlist has {long} s");
    for file in ["video.mp4", &format!("hls/{}.m3u8", film.shown.0.min(film.shown.1))] {
        let long = seconds(folder, file);
        assert!((long - SECONDS).abs() < 0.35, "{name}: {file} has {long} s");
        let colors = patches(folder, file);
        let is_near = |(found, wanted): (&u8, &u8)| found.abs_diff(*wanted) <= OFF;
        // High dynamic range is tone-mapped.
        let is_same = name == "hdr-call.mp4" || colors.as_flattened().iter().zip(source.as_flattened()).all(is_near);
        assert!(is_same, "{name}: {file}: {colors:?} instead of {source:?}");
        let (flashes, beeps) = (flash_times(folder, file), beep_times(folder, file));
        assert_eq!((flashes.len(), beeps.len()), (2, 2), "{name}: {file}: {flashes:?} {beeps:?}");
        let late = if name == "sound-later.mkv" { 0.3 } else { 0.0 };
        for (flash, beep) in flashes.iter().zip(&beeps) {
            assert!((beep - flash - late).abs() <= APART, "{name}: {file}: {flashes:?} {beeps:?}");
        }
    }
}

#[tokio::test]
async fn films_of_all_formats_stay_upright_in_sync_and_of_equal_length() {
    let at_a_time = std::thread::available_parallelism().map_or(1, usize::from);
    stream::iter(&FILMS).map(converts).buffer_unordered(at_a_time).collect::<()>().await;
}

#[tokio::test]
async fn phone_videos_are_upright_in_every_orientation() {
    // These films are recorded sideways or upside down, with the rotation in the metadata.
    for (turned, mark) in
        [("transpose=cclock", "rotate=270"), ("transpose=clock", "rotate=90"), ("hflip,vflip", "rotate=180")]
    {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let picture = format!("{},{turned}", flashes("s=240x320:r=25"));
        ffmpeg(folder, &["-f", "lavfi", "-i", &picture, "-c:v", "libx264", "-pix_fmt", "yuv420p", "lying.mp4"]);
        ffmpeg(folder, &["-i", "lying.mp4", "-c", "copy", "-metadata:s:v", mark, "phone.mov"]);
        let file = folder.join("phone.mov");
        let source = film::probe(&TOOLS, &file).await.unwrap();
        assert_eq!((source.width, source.height), (240, 320), "{mark}");
        film::ladder::render(&TOOLS, &file, &source, (&*CONFIG).into(), folder, |_| ()).await.unwrap();
        assert_eq!(flash_times(folder, "240.mp4").len(), 2, "{mark}: the upper half flashes");
    }
}

#[tokio::test]
async fn trimmed_film_starts_at_the_trim_at_every_height() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [picture, sound] = [flashes("s=854x480:r=25"), BEEP.to_owned()].map(|shown| shown.replace("d=6", "d=9"));
    let inputs = ["-f", "lavfi", "-i", &picture, "-f", "lavfi", "-i", &sound, "-g", "75"];
    ffmpeg(folder, &[&inputs[..], &H264.split(' ').collect::<Vec<_>>(), &["whole.mp4"]].concat());
    // The preceding key frame stays in the file, and the frames up to the trim are hidden.
    ffmpeg(folder, &["-ss", "2.6", "-i", "whole.mp4", "-t", "6", "-c", "copy", "trimmed.mp4"]);
    let file = folder.join("trimmed.mp4");
    let source = film::probe(&TOOLS, &file).await.unwrap();
    assert!(!source.is_plain, "copied segments would show the hidden frames");
    film::ladder::render(&TOOLS, &file, &source, (&*CONFIG).into(), folder, |_| ()).await.unwrap();
    for height in ["240", "480"] {
        let file = format!("hls/{height}.m3u8");
        assert!((seconds(folder, &file) - SECONDS).abs() < 0.35, "{file}: {}", seconds(folder, &file));
        let (flashes, beeps) = (flash_times(folder, &file), beep_times(folder, &file));
        for (at, expected) in [1.4, 3.4, 5.4].into_iter().enumerate() {
            let off = [flashes[at] - expected, beeps[at] - expected].map(f64::abs);
            assert!(off.iter().all(|off| *off <= APART), "{file}: {flashes:?} {beeps:?}");
        }
    }
}

#[tokio::test]
async fn silent_film_stays_silent_and_default_track_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let picture = flashes("s=320x240:r=25");
    let video = ["-f", "lavfi", "-i", &picture];
    ffmpeg(folder, &[&video[..], &["-c:v", "libx264", "silent.mp4"]].concat());
    let silence =
        ["-f", "lavfi", "-i", "anullsrc=d=6", "-f", "lavfi", "-i", BEEP, "-map", "0", "-map", "1", "-map", "2"];
    let marked = ["-disposition:a:0", "0", "-disposition:a:1", "default", "-c:v", "libx264", "tracks.mkv"];
    ffmpeg(folder, &[&video[..], &silence, &marked].concat());
    for (name, beeps) in [("silent.mp4", 0), ("tracks.mkv", 2)] {
        let made = folder.join(name.replace('.', "-"));
        std::fs::create_dir(&made).unwrap();
        let file = folder.join(name);
        let source = film::probe(&TOOLS, &file).await.unwrap();
        film::make(&TOOLS, &file, &source, (&*CONFIG).into(), &made, |_, _| ()).await.unwrap();
        let heard = if !source.audio.is_empty() { beep_times(&made, "video.mp4").len() } else { 0 };
        assert_eq!((heard, flash_times(&made, "video.mp4").len()), (beeps, 2), "{name}");
        let master = std::fs::read_to_string(made.join("hls/master.m3u8")).unwrap();
        assert_eq!(master.contains("mp4a"), beeps > 0, "{master}");
    }
}

#[tokio::test]
async fn plain_film_is_copied_only_if_segments_can_be_cut() {
    for (between, is_copied) in [("75", true), ("500", false)] {
        let folder = tempfile::tempdir().unwrap();
        let picture = flashes("s=854x480:r=25").replace("d=6", "d=12");
        let written = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", between, "plain.mp4"];
        ffmpeg(folder.path(), &[&["-f", "lavfi", "-i", &picture][..], &written].concat());
        let file = folder.path().join("plain.mp4");
        let source = film::probe(&TOOLS, &file).await.unwrap();
        let rendered =
            film::ladder::render(&TOOLS, &file, &source, (&*CONFIG).into(), folder.path(), |_| ()).await.unwrap();
        let copied: Vec<bool> = rendered.renditions.iter().map(|rendition| rendition.is_copied).collect();
        assert_eq!(copied, [false, is_copied], "a key frame every {between} frames");
        let master = std::fs::read_to_string(folder.path().join("hls/master.m3u8")).unwrap();
        let variants: Vec<&str> = master.lines().filter(|line| line.ends_with(".m3u8")).collect();
        assert_eq!(variants, ["480.m3u8", "240.m3u8"], "{master}");
        assert_eq!(master.matches("CODECS=\"avc1.").count(), 2, "{master}");
    }
}

#[tokio::test]
async fn playlists_and_unsupported_formats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
    for (name, content) in [
        ("list.mp4", list.as_bytes()),
        ("concat.avi", b"ffconcat version 1.0\nfile /etc/passwd\n"),
        ("drawing.mov", b"<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"file:///etc/passwd\"/></svg>"),
        ("empty.mkv", b""),
        ("words.webm", b"only words"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        assert!(film::probe(&TOOLS, &file).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn pictures_fill_their_frames_for_every_film_shape() {
    for (size, seconds) in [("240x426", "12"), ("426x240", "31")] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        // The picture is black in the first half and white in the second.
        let picture =
            format!("color=black:s={size}:r=25:d={seconds},drawbox=color=white:t=fill:enable='gte(t,{seconds}/2)'");
        ffmpeg(folder, &["-f", "lavfi", "-i", &picture, "-c:v", "libx264", "-pix_fmt", "yuv420p", "film.mp4"]);
        let file = folder.join("film.mp4");
        let source = film::probe(&TOOLS, &file).await.unwrap();
        film::make(&TOOLS, &file, &source, (&*CONFIG).into(), folder, |_, _| ()).await.unwrap();
        let bright = |name: &str| {
            let shown = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-";
            times(&ffmpeg(folder, &["-i", name, "-vf", shown, "-f", "null", "-"]), "YAVG=")[0]
        };
        for (shot, is_bright) in (0..film::SHOTS).map(|shot| (shot, shot > 4)) {
            for width in [320, 640] {
                let name = format!("shot-{shot}-{width}.webp");
                assert_eq!(bright(&name) > 128.0, is_bright, "{size}: {name}");
                let found = ffprobe(folder, &["-show_entries", "stream=width,height", &name]);
                assert_eq!(found, format!("{width},{}", width * 9 / 16), "{size}: {name}");
            }
        }
        assert!(bright("poster.jpg") < 64.0, "{size}");
        assert_eq!(ffprobe(folder, &["-show_entries", "stream=width,height", "poster.jpg"]), "1280,720", "{size}");
        let tiles = ffprobe(folder, &["-show_entries", "stream=width,height", "timeline.jpg"]);
        let cues = std::fs::read_to_string(folder.join("timeline.vtt")).unwrap().matches("-->").count();
        assert_eq!((tiles.as_str(), cues), if seconds == "31" { ("800,360", 16) } else { ("800,180", 6) }, "{size}");
    }
}

/// Returns the fingerprints of the film `240.mp4` in the folder.
async fn seen(folder: &Path) -> Frames {
    let long = seconds(folder, "240.mp4");
    film::stills::render(&TOOLS, folder, ["240.mp4"; 2], long, &(0.0..long)).await.unwrap()
}

/// Returns the number of differing bits for each frame that has a fingerprint in both films.
fn bits(one: &Frames, other: &Frames) -> Vec<u32> {
    one.iter().zip(other).filter_map(|(one, other)| Some((one.as_ref()? ^ other.as_ref()?).count_ones())).collect()
}

#[tokio::test]
async fn fingerprint_is_stable_across_encodings() {
    let folders: Vec<_> = std::iter::repeat_with(|| tempfile::tempdir().unwrap()).take(4).collect();
    let [first, again, other, plain] = [0, 1, 2, 3].map(|at: usize| folders[at].path());
    let cells =
        |seed: u8| format!("cellauto=s=12x9:r=5/4:rule=30:seed={seed}:full=1,scale=320:240:flags=neighbor,fps=25");
    let written = ["-t", "8", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "240.mp4"];
    let drawn =
        |folder: &Path, picture: &str| ffmpeg(folder, &[&["-f", "lavfi", "-i", picture], &written[..]].concat());
    drawn(first, &cells(1));
    drawn(other, &cells(2));
    // Plain or black films have nothing else in common.
    drawn(plain, "color=c=0x334455:s=320x240:r=25");
    // The changed film has a different size, shape, brightness and frame rate, a low bit rate, cropped edges and added bars.
    let changed = "crop=iw*0.98:ih*0.98,eq=brightness=0.05,scale=256:180,pad=256:240:0:30:black";
    let file = first.join("240.mp4");
    ffmpeg(again, &["-i", file.to_str().unwrap(), "-vf", changed, "-r", "15", "-crf", "35", "240.mp4"]);
    let (first, again, other, plain) = tokio::join!(seen(first), seen(again), seen(other), seen(plain));
    let (same, different) = (bits(&first, &again), bits(&first, &other));
    let mean = |bits: &[u32]| f64::from(bits.iter().sum::<u32>()) / 10.0;
    assert!(same.len() == 10 && mean(&same) <= 8.0 && same.iter().all(|bits| *bits <= 14), "{same:?}");
    assert!(different.len() == 10 && mean(&different) > 20.0, "{different:?}");
    assert_eq!(plain, [None; 10]);
}
