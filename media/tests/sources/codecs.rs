//! Tests the second set of renditions.

use crate::support::{CONFIG, TOOLS, beep_times, ffmpeg, ffprobe, seconds};
use lantern_catalog::video_codec::VideoCodec;
use lantern_config::{Films, SecondCodec};
use lantern_media::film::{self, FilmFacts};

const FILM: &str = "-f lavfi -i testsrc2=s=854x480:r=25:d=6 -f lavfi -i aevalsrc=exprs=0.5*sin(6000*t)*between(t\\,2\\,2.5):s=48000:d=6 \
    -c:v mpeg4 -q:v 3 -c:a mp2";

async fn make(folder: &std::path::Path, settings: &Films) -> FilmFacts {
    let file = folder.join("film.avi");
    let source = film::probe(&TOOLS, &file).await.unwrap();
    film::make(&TOOLS, &file, &source, settings.into(), folder, |_, share| assert!((0.0..=1.0).contains(&share)))
        .await
        .unwrap()
}

#[tokio::test]
async fn second_set_has_the_same_sizes_and_sound() {
    for (second, codec, name, mark) in [
        (SecondCodec::Av1, VideoCodec::Av1, "av1", "av01.0."),
        (SecondCodec::Hevc, VideoCodec::Hevc, "hevc", "hvc1.1.6.L"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        ffmpeg(folder, &format!("{FILM} film.avi"));
        let facts = make(folder, &Films { second_codec: second, ..CONFIG.clone() }).await;
        assert_eq!(facts.second_codec, Some(codec));
        let master = format!("hls/master-{name}.m3u8");
        let text = std::fs::read_to_string(folder.join(&master)).unwrap();
        let streams: Vec<&str> = text.lines().filter(|line| line.starts_with("#EXT-X-STREAM-INF")).collect();
        assert_eq!(streams.len(), 2, "{text}");
        assert!(streams.iter().all(|line| line.contains(mark) && line.contains(",mp4a.40.2\"")), "{text}");
        for (height, size) in [(480, "854,480"), (240, "428,240")] {
            let list = format!("hls/{height}-{name}.m3u8");
            let found =
                ffprobe(folder, &format!("-select_streams v -show_entries stream=codec_name,width,height {list}"));
            assert_eq!(found, format!("{name},{size}"));
            assert!((seconds(folder, &list) - 6.0).abs() < 0.1);
            let heard = beep_times(folder, &list);
            assert!((heard[0] - 2.0).abs() < 0.05, "{list}: {heard:?}");
            let packets = ffprobe(folder, &format!("-select_streams v -show_entries packet=pts_time,flags {list}"));
            let keys = packets.lines().filter_map(|packet| packet.split_once(",K"));
            let keys: Vec<f64> = keys.map(|(at, _)| at.parse().unwrap()).collect();
            assert!(
                keys.len() == 2 && (keys[1] - keys[0] - 4.0).abs() < 0.01,
                "segments begin with key frames: {keys:?}"
            );
        }
        let left = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(left.filter(|file| file.contains(name)).count(), 0, "only segments are kept");
        assert_eq!(ffprobe(folder, "-select_streams v -show_entries stream=codec_name video.mp4"), "h264");
    }
}

#[tokio::test]
async fn film_is_complete_without_its_second_set() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ffmpeg(folder, &format!("{FILM} film.avi"));
    let mut settings = Films { second_codec: SecondCodec::Av1, ..CONFIG.clone() };
    // The encoder refuses this preset.
    settings.av1.preset = 99;
    let facts = make(folder, &settings).await;
    assert_eq!((facts.second_codec, facts.height), (None, 480));
    let left =
        std::fs::read_dir(folder.join("hls")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.filter(|file| file.contains("av1")).count(), 0);
}
