//! Tests that sound stays in sync with the picture, however it changes, and that interlaced films stay smooth.

use crate::support::{TOOLS, beep_times, ffmpeg, ffprobe, make, seconds, times};
use lantern_media::film;

/// Maximum offset of the sound, in seconds.
const APART: f64 = 0.05;
const PICTURE: &str = "-f lavfi -i testsrc2=s=320x240:r=25";

/// When films beep, in seconds.
const BEEPS: [f64; 6] = [1.5, 3.5, 5.5, 7.5, 9.5, 11.5];

/// Returns a source of six seconds that starts `late` and then beeps every two seconds.
fn beeps(channels: usize, late: f64) -> String {
    let beep = format!("0.5*sin(6000*t)*between(mod(t+{late}\\,2)\\,1.5\\,1.7)");
    let all = vec![beep.as_str(); channels].join("|");
    format!("-itsoffset {late} -f lavfi -i aevalsrc=exprs={all}:s=48000:d={}", 6.0 - late)
}

/// A film whose sound is encoded differently in its second part.
struct Change {
    name: &'static str,
    /// Channels and encoding of the first and the second part.
    parts: [(usize, &'static str); 2],
    /// Seconds of picture before the first sound.
    late: f64,
}

const CHANGES: [Change; 6] = [
    Change { name: "rate", parts: [(1, "aac -ar 44100"), (1, "aac -ar 48000")], late: 0.0 },
    Change { name: "layout", parts: [(2, "ac3"), (6, "ac3")], late: 0.0 },
    Change { name: "both", parts: [(6, "ac3 -ar 48000"), (1, "ac3 -ar 32000")], late: 0.0 },
    Change { name: "late-rate", parts: [(1, "aac -ar 44100"), (1, "aac -ar 48000")], late: 0.9 },
    Change { name: "late-layout", parts: [(2, "mp2"), (1, "mp2")], late: 0.9 },
    Change { name: "late-both", parts: [(2, "ac3 -ar 44100"), (6, "ac3 -ar 48000")], late: 0.9 },
];

#[tokio::test]
async fn changing_sound_stays_in_sync() {
    for Change { name, parts: [first, second], late } in CHANGES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let part = |(channels, written): (usize, &str), from: f64, late: f64, file: &str| {
            let picture = format!("{PICTURE} {}", beeps(channels, late));
            let video = "-c:v libx264 -preset ultrafast -bf 0 -pix_fmt yuv420p";
            ffmpeg(
                folder,
                &format!(
                    "{picture} -map 0 -map 1 -t 6 {video} -c:a {written} -ac {channels} -output_ts_offset {from} -f mpegts {file}"
                ),
            );
        };
        part(first, 0.0, late, "a.ts");
        part(second, 6.0, 0.0, "b.ts");
        let [a, b] = ["a.ts", "b.ts"].map(|part| std::fs::read(folder.join(part)).unwrap());
        std::fs::write(folder.join("film.ts"), [a, b].concat()).unwrap();
        // Transport streams don't say that encoders start late.
        let delay = beep_times(folder, "a.ts")[0] - BEEPS[0];
        let source = film::probe(&TOOLS, &folder.join("film.ts")).await.unwrap();
        let sound = source.audio.first().unwrap();
        assert!(sound.may_change && (sound.start - late).abs() < 0.15, "{name}: {source:?}");
        let facts = make(folder, "film.ts").await.unwrap();
        assert!((facts.duration - 12.0).abs() < 0.1, "{name}: {facts:?}");
        let temporary = std::fs::read_dir(folder)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".mka"));
        assert_eq!(temporary.count(), 0, "{name}");
        for file in ["video.mp4", "hls/master.m3u8"] {
            // The end of the film isn't a beep.
            let heard: Vec<f64> = beep_times(folder, file).into_iter().filter(|at| *at < 11.9).collect();
            assert_eq!(heard.len(), 6, "{name}: {file}: {heard:?}");
            for (at, wanted) in heard.iter().zip(BEEPS) {
                assert!((at - wanted - delay).abs() <= APART, "{name}: {file}: {heard:?}");
            }
        }
    }
}

#[tokio::test]
async fn interlaced_film_has_a_frame_for_each_field() {
    for (standard, rate, wanted) in [("top", "50", "50/1"), ("bottom", "60000/1001", "60000/1001")] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        // A bar moves in each field.
        let moving = format!(
            "-f lavfi -i color=black:s=352x288:r={rate}:d=4,drawbox=x=0:y=0:w=20:h=288:color=white:t=fill,scroll=h=-0.01,interlace=scan={}:lowpass=off",
            if standard == "top" { "tff" } else { "bff" }
        );
        let order = if standard == "top" { 1 } else { 0 };
        ffmpeg(folder, &format!("{moving} -c:v mpeg2video -q:v 3 -flags +ildct+ilme -top {order} -f mpegts film.ts"));
        make(folder, "film.ts").await.unwrap();
        let found = ffprobe(folder, "-select_streams v -show_entries stream=avg_frame_rate video.mp4");
        assert_eq!(found, wanted, "{standard}");
        assert!((seconds(folder, "video.mp4") - 4.0).abs() < 0.1);
        // Every frame shows another position.
        let shown = "signalstats,metadata=print:key=lavfi.signalstats.YDIF:file=-";
        let said = ffmpeg(folder, &format!("-ss 0.5 -t 3 -i video.mp4 -vf {shown} -f null -"));
        let changes = times(&said, "YDIF=");
        assert!(changes.len() > 140 && changes.iter().skip(1).all(|change| *change > 1.0), "{standard}: {changes:?}");
    }
}
