//! Tests which parts of a file become the film: tracks, times, shapes and orientation.

use std::path::Path;

use crate::support::{CONFIG, TOOLS, beep_times, ffmpeg, ffprobe, make, pixel, seconds};
use lantern_media::{Error, film};

const PICTURE: &str = "-f lavfi -i testsrc2=s=426x240:r=25";
const SOUND: &str = "-f lavfi -i sine=r=44100";
const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";

fn is_near(pixel: [u8; 3], wanted: [u8; 3], off: u8) -> bool {
    pixel.iter().zip(wanted).all(|(found, wanted)| found.abs_diff(wanted) <= off)
}

#[tokio::test]
async fn other_tracks_do_not_change_the_length() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("words.srt"), "1\n00:00:01,000 --> 00:00:50,000\nHello\n").unwrap();
    ffmpeg(
        folder,
        &format!(
            "{PICTURE} {SOUND} -i words.srt -map 0 -map 1 -map 2 {H264} -c:a aac -t 50 -shortest -fs 900000 long.mkv"
        ),
    );
    ffmpeg(folder, &format!("{PICTURE} {SOUND} -t 4 {H264} -c:a aac short.mp4"));
    ffmpeg(folder, "-i short.mp4 -i words.srt -map 0 -map 1 -c copy subtitles.mkv");
    // A second sound, which isn't used, starts before the film and ends after it.
    ffmpeg(folder, &format!("-itsoffset 3 -i short.mp4 {SOUND} -t 20 -map 0 -map 1 -c:v copy -c:a aac second.mkv"));
    for name in ["subtitles.mkv", "second.mkv"] {
        assert!(seconds(folder, name) > 15.0, "{name}");
        let source = film::probe(&TOOLS, &folder.join(name)).await.unwrap();
        assert!((source.duration - 4.0).abs() < 0.1, "{name}: {source:?}");
        let made = tempfile::tempdir().unwrap();
        let facts =
            film::make(&TOOLS, &folder.join(name), &source, (&*CONFIG).into(), made.path(), |_, _| ()).await.unwrap();
        assert!((facts.duration - 4.0).abs() < 0.1, "{name}: {facts:?}");
        assert!((seconds(made.path(), "hls/master.m3u8") - 4.0).abs() < 0.1, "{name}");
    }
}

#[tokio::test]
async fn default_video_track_becomes_the_film() {
    for (default, size) in [(0, "160,120"), (1, "426,240")] {
        let folder = tempfile::tempdir().unwrap();
        let marks = format!("-disposition:v 0 -disposition:v:{default} default");
        ffmpeg(
            folder.path(),
            &format!("-f lavfi -i testsrc2=s=160x120:r=25 {PICTURE} -t 2 -map 0 -map 1 {H264} {marks} film.mkv"),
        );
        make(folder.path(), "film.mkv").await.unwrap();
        let found = ffprobe(folder.path(), "-select_streams v -show_entries stream=width,height video.mp4");
        assert_eq!(found, size);
    }
}

#[tokio::test]
async fn sound_of_an_unknown_codec_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first sound is 440 Hz, and the second one is silent until second 1.
    let late = "-f lavfi -i aevalsrc=exprs=0.5*sin(6000*t)*gt(t\\,1):s=44100";
    ffmpeg(
        folder,
        &format!("{PICTURE} {SOUND} {late} -t 3 -map 0 -map 1 -map 2 {H264} -c:a:0 pcm_s16le -c:a:1 aac both.mov"),
    );
    ffmpeg(folder, "-i both.mov -map 0:0 -map 0:1 -c copy alone.mov");
    for name in ["both.mov", "alone.mov"] {
        let mut bytes = std::fs::read(folder.join(name)).unwrap();
        let at = bytes.windows(4).rposition(|word| word == b"sowt").unwrap();
        bytes[at..at + 4].copy_from_slice(b"apac");
        std::fs::write(folder.join(name), bytes).unwrap();
        let source = film::probe(&TOOLS, &folder.join(name)).await.unwrap();
        let made = tempfile::tempdir().unwrap();
        film::make(&TOOLS, &folder.join(name), &source, (&*CONFIG).into(), made.path(), |_, _| ()).await.unwrap();
        let tracks = ffprobe(made.path(), "-show_entries stream=codec_name video.mp4");
        if name == "both.mov" {
            assert_eq!((tracks.as_str(), source.lost_audio.len()), ("h264\naac", 0));
            assert!((beep_times(made.path(), "video.mp4")[0] - 1.0).abs() < 0.05);
        } else {
            assert_eq!((tracks.as_str(), source.lost_audio), ("h264", vec!["unknown".to_owned()]));
        }
    }
}

#[tokio::test]
async fn picture_shorter_than_the_sound_is_still_until_its_end() {
    for (offset, start, end) in [("", 0.0, 2.0), ("-itsoffset 3", 3.0, 5.0)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        // The picture is red in the first half and blue in the second.
        ffmpeg(
            folder,
            &format!(
                "-f lavfi -i color=red:s=426x240:r=25:d=1 -f lavfi -i color=blue:s=426x240:r=25:d=1 -filter_complex concat {H264} part.mp4"
            ),
        );
        ffmpeg(folder, &format!("{offset} -i part.mp4 {SOUND} -map 0 -map 1 -t 9 -c:v copy -c:a aac film.mp4"));
        let source = film::probe(&TOOLS, &folder.join("film.mp4")).await.unwrap();
        assert!((source.picture.start - start).abs() < 0.1 && (source.picture.end - end).abs() < 0.1, "{source:?}");
        let facts = make(folder, "film.mp4").await.unwrap();
        assert!((facts.duration - 9.0).abs() < 0.1, "{facts:?}");
        for file in ["video.mp4", "hls/master.m3u8"] {
            let frames =
                ffprobe(folder, &format!("-count_frames -select_streams v -show_entries stream=nb_read_frames {file}"));
            assert!(frames.parse::<u32>().unwrap() > 220, "{file}: {frames}");
            for (at, wanted) in [("0.1", [255, 0, 0]), ("8.5", [0, 0, 255])] {
                let found = pixel(folder, file, at, [100, 100]);
                assert!(is_near(found, wanted, 12), "{file} at {at}: {found:?}");
            }
        }
        // The most typical of some frames is shown, which may be blue in the middle.
        for shot in (0..film::SHOTS).filter(|shot| *shot != 4) {
            let found = pixel(folder, &format!("shot-{shot}-320.webp"), "0", [100, 90]);
            assert!(is_near(found, if shot < 4 { [255, 0, 0] } else { [0, 0, 255] }, 12), "{offset} {shot}: {found:?}");
        }
    }
}

#[tokio::test]
async fn song_with_a_single_frame_becomes_a_video() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ffmpeg(folder, &format!("{PICTURE} {SOUND} -t 12 -vf trim=end_frame=1 {H264} -c:a aac song.mp4"));
    let facts = make(folder, "song.mp4").await.unwrap();
    assert!((facts.duration - 12.0).abs() < 0.1, "{facts:?}");
    assert!((seconds(folder, "preview.mp4") - 1.0).abs() < 0.2);
    let cues = std::fs::read_to_string(folder.join("timeline.vtt")).unwrap();
    assert_eq!(cues.matches("-->").count(), 7);
}

#[tokio::test]
async fn missing_pictures_are_the_films_fault() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), &format!("{PICTURE} -t 2 {H264} 240.mp4"));
    let after_its_end = film::stills::render(&TOOLS, folder.path(), ["240.mp4"; 2], 40.0, &(20.0..30.0)).await;
    assert!(matches!(after_its_end, Err(Error::Failed { .. })), "{after_its_end:?}");
}

/// Changes the display matrix of the only track.
fn turn(file: &Path, matrix: [i32; 4]) {
    let mut bytes = std::fs::read(file).unwrap();
    let track = bytes.windows(4).position(|word| word == b"tkhd").unwrap();
    // The matrix follows 40 bytes of other fields.
    for (place, number) in [0, 1, 3, 4].into_iter().zip(matrix) {
        let at = track + 4 + 40 + 4 * place;
        bytes[at..at + 4].copy_from_slice(&(number * 65536).to_be_bytes());
    }
    std::fs::write(file, bytes).unwrap();
}

#[tokio::test]
async fn mirrored_films_are_upright_everywhere() {
    for (matrix, change) in [
        ([1, 0, 0, -1], "vflip"),
        ([-1, 0, 0, 1], "hflip"),
        ([0, 1, 1, 0], "transpose=cclock_flip"),
        ([0, -1, -1, 0], "transpose=clock_flip"),
        ([0, 1, -1, 0], "transpose=cclock"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        // The upper left quarter is red.
        ffmpeg(
            folder,
            &format!(
                "-f lavfi -i color=blue:s=854x480:r=25:d=2,drawbox=w=427:h=240:color=red:t=fill,{change} {H264} film.mp4"
            ),
        );
        turn(&folder.join("film.mp4"), matrix);
        make(folder, "film.mp4").await.unwrap();
        let films = ["video.mp4", "hls/240.m3u8", "hls/480.m3u8", "preview.mp4"];
        for (file, at) in films.map(|film| (film, "0.5")).into_iter().chain([
            ("poster.jpg", "0"),
            ("poster.webp", "0"),
            ("timeline.jpg", "0"),
        ]) {
            let size = match file {
                "video.mp4" | "hls/480.m3u8" => [854, 480],
                "poster.jpg" | "poster.webp" => [1280, 720],
                "timeline.jpg" => [160, 90],
                "hls/240.m3u8" => [428, 240],
                _ => [320, 180],
            };
            let places = [[size[0] / 4, size[1] / 4], [size[0] * 3 / 4, size[1] / 4], [size[0] / 4, size[1] * 3 / 4]];
            let found = places.map(|place| pixel(folder, file, at, place));
            let wanted = [[255, 0, 0], [0, 0, 255], [0, 0, 255]];
            assert!(
                found.iter().zip(wanted).all(|(found, wanted)| is_near(*found, wanted, 20)),
                "{change}: {file}: {found:?}"
            );
        }
    }
}

#[tokio::test]
async fn films_that_change_their_shape_get_bars() {
    let circle = |size: &str| format!("-f lavfi -i color=white:s={size}:r=25:d=2 -c:v libx264 -pix_fmt yuv420p");
    for (name, second) in [("turned", circle("360x640")), ("wider", format!("{} -aspect 4:3", circle("640x360")))] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        ffmpeg(folder, &format!("{} -f mpegts a.ts", circle("640x360")));
        ffmpeg(folder, &format!("{second} -output_ts_offset 2 -f mpegts b.ts"));
        let [a, b] = ["a.ts", "b.ts"].map(|part| std::fs::read(folder.join(part)).unwrap());
        std::fs::write(folder.join("film.ts"), [a, b].concat()).unwrap();
        // The same film in a container whose video is usually copied.
        ffmpeg(folder, "-i film.ts -c copy film.mp4");
        for film in ["film.ts", "film.mp4"] {
            if (film, name) == ("film.mp4", "wider") {
                continue;
            }
            let made = tempfile::tempdir().unwrap();
            let source = film::probe(&TOOLS, &folder.join(film)).await.unwrap();
            let facts = film::make(&TOOLS, &folder.join(film), &source, (&*CONFIG).into(), made.path(), |_, _| ())
                .await
                .unwrap();
            assert!((facts.duration - 4.0).abs() < 0.1, "{name}: {facts:?}");
            // The first half fills the picture. In the second half it has bars on the left and right.
            let white = |at: &str, x: u32| pixel(made.path(), "video.mp4", at, [x, 180])[1] > 128;
            assert!(
                white("1", 10) && white("1", 600) && !white("3", 10) && !white("3", 600) && white("3", 320),
                "{name} {film}"
            );
            let bar = if name == "turned" { 219 } else { 80 };
            assert!(!white("3", bar - 4) && white("3", bar + 4), "{name} {film}");
        }
    }
}

#[tokio::test]
async fn film_has_a_copy_of_its_own_size() {
    for (size, wanted, height) in
        [("640x360", "640,360", 360), ("1280x544", "1280,544", 544), ("482x852", "482,852", 482)]
    {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        ffmpeg(folder, &format!("-f lavfi -i testsrc2=s={size}:r=25 -t 2 -c:v mpeg4 -q:v 3 film.mkv"));
        let facts = make(folder, "film.mkv").await.unwrap();
        assert_eq!(facts.height, height, "{size}");
        let found = ffprobe(folder, "-select_streams v -show_entries stream=width,height video.mp4");
        assert_eq!(found, wanted);
        let master = std::fs::read_to_string(folder.join("hls/master.m3u8")).unwrap();
        assert!(master.contains(&format!("\n{height}.m3u8")) && master.contains("\n240.m3u8"), "{master}");
    }
}
