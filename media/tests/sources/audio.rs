//! Tests that films with several audio tracks keep them, in sync and as long as the film.

use std::path::Path;

use crate::support::{TOOLS, beep_times, ffmpeg, ffprobe, make, seconds};
use lantern_catalog::audio_tracks::AudioKind;
use lantern_media::film;

/// Maximum offset of the sound, in seconds.
const APART: f64 = 0.05;
const PICTURE: &str = "-f lavfi -i testsrc2=s=854x480:r=25:d=8";
const VIDEO: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";

/// Returns a source of sound that is loud from `on` to `off`.
fn beep(on: f64, off: f64, length: f64) -> String {
    format!("-f lavfi -i aevalsrc=exprs=0.5*sin(6000*t)*between(t\\,{on}\\,{off}):s=48000:d={length}")
}

fn is_heard_once(folder: &Path, file: &str, at: f64) {
    let heard: Vec<f64> = beep_times(folder, file).into_iter().filter(|at| *at < 7.9).collect();
    assert!(heard.len() == 1 && (heard[0] - at).abs() <= APART, "{file}: {heard:?}, not {at}");
}

#[tokio::test]
async fn tracks_of_a_film_are_renditions_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sounds = [beep(1.0, 1.5, 8.0), beep(2.0, 2.5, 5.0), beep(1.0, 1.5, 12.0), beep(3.0, 3.5, 8.0)].join(" ");
    // The second track is the default. The third is the same as the first for other equipment, and is longer than the film.
    let names = "-metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:a:2 language=deu -metadata:s:a:3 language=eng";
    let marks = "-disposition:a 0 -disposition:a:1 default -disposition:a:3 comment";
    let maps = "-map 0 -map 1 -map 2 -map 3 -map 4";
    ffmpeg(
        folder,
        &format!(
            "{PICTURE} {sounds} {maps} {VIDEO} -c:a aac -c:a:2 ac3 {names} {marks} -metadata:s:a:3 title=\"Making film.mkv"
        ),
    );
    let source = film::probe(&TOOLS, &folder.join("film.mkv")).await.unwrap();
    let found: Vec<_> =
        source.audio.iter().map(|sound| (sound.index, sound.track.lang.clone(), sound.track.kind)).collect();
    let lang = |code: &str| Some(code.to_owned());
    assert_eq!(
        found,
        [(2, lang("en"), AudioKind::Main), (1, lang("de"), AudioKind::Main), (4, lang("en"), AudioKind::Commentary)]
    );
    let facts = make(folder, "film.mkv").await.unwrap();
    assert!((facts.duration - 8.0).abs() < 0.1, "{facts:?}");
    let master = std::fs::read_to_string(folder.join("hls/master.m3u8")).unwrap();
    let media: Vec<&str> = master.lines().filter(|line| line.starts_with("#EXT-X-MEDIA")).collect();
    assert!(media[0].contains("NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES"), "{master}");
    assert!(media[1].contains("NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=NO,AUTOSELECT=YES"), "{master}");
    assert!(media[2].contains("NAME=\"English – 'Making (commentary)\""), "{master}");
    assert!(media[2].contains("AUTOSELECT=NO"), "{master}");
    let streams: Vec<&str> = master.lines().filter(|line| line.starts_with("#EXT-X-STREAM-INF")).collect();
    assert_eq!(streams.len(), 2, "{master}");
    assert!(streams.iter().all(|line| line.contains(",mp4a.40.2\"") && line.ends_with(",AUDIO=\"sound\"")), "{master}");
    for (playlist, at) in [("hls/sound-1.m3u8", 2.0), ("hls/sound-2.m3u8", 1.0), ("hls/sound-3.m3u8", 3.0)] {
        is_heard_once(folder, playlist, at);
        // Players wait for a track that ends early.
        let length = seconds(folder, playlist);
        assert!((length - 8.0).abs() < 0.1, "{playlist}: {length}");
        assert_eq!(ffprobe(folder, &format!("-show_entries stream=codec_type {playlist}")), "audio");
    }
    for playlist in ["hls/480.m3u8", "hls/240.m3u8"] {
        assert_eq!(ffprobe(folder, &format!("-show_entries stream=codec_type {playlist}")), "video");
    }
    // The file for downloads has all tracks, and players begin with the main one.
    let tracks =
        ffprobe(folder, "-select_streams a -show_entries stream_disposition=default:stream_tags=language video.mp4");
    assert_eq!(tracks, "1,eng\n0,deu\n0,eng");
    ffmpeg(folder, "-i video.mp4 -map 0:a:0 -c copy main.m4a");
    is_heard_once(folder, "main.m4a", 2.0);
}

#[tokio::test]
async fn changing_sounds_stay_in_sync_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let picture = "-f lavfi -i testsrc2=s=320x240:r=25:d=4";
    for (at, (name, written)) in [("a.ts", "ac3 -ar 44100 -ac 2"), ("b.ts", "ac3 -ar 48000 -ac 6")].iter().enumerate() {
        let sounds = [beep(1.0, 1.5, 4.0), beep(2.0, 2.5, 3.0)].join(" ");
        let from = 4 * at;
        let names = "-metadata:s:a:0 language=fra -metadata:s:a:1 language=ita";
        ffmpeg(
            folder,
            &format!(
                "{picture} {sounds} -map 0 -map 1 -map 2 {VIDEO} -bf 0 -c:a {written} {names} -output_ts_offset {from} -f mpegts {name}"
            ),
        );
    }
    let [a, b] = ["a.ts", "b.ts"].map(|part| std::fs::read(folder.join(part)).unwrap());
    std::fs::write(folder.join("film.ts"), [a, b].concat()).unwrap();
    make(folder, "film.ts").await.unwrap();
    // The second track of each part ends before its picture.
    for (playlist, wanted) in [("hls/sound-1.m3u8", [1.0, 5.0]), ("hls/sound-2.m3u8", [2.0, 6.0])] {
        let heard: Vec<f64> = beep_times(folder, playlist).into_iter().filter(|at| *at < 7.9).collect();
        assert_eq!(heard.len(), 2, "{playlist}: {heard:?}");
        assert!(heard.iter().zip(wanted).all(|(at, wanted)| (at - wanted).abs() <= APART), "{playlist}: {heard:?}");
    }
}
