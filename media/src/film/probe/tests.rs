use serde_json::{Value, json};

use super::*;
use crate::film::color::ColorMarks;

/// Returns a film of a second that can be copied.
pub(in crate::film) fn source(width: u32, height: u32) -> Source {
    Source {
        index: 0,
        start: 0.0,
        duration: 1.0,
        picture: 0.0..1.0,
        width,
        height,
        rate: (25, 1),
        deinterlacing: "",
        color: Color::of(&ColorMarks::default(), (width, height)),
        is_plain: true,
        bit_rate: Some(900_000),
        chapters: Vec::new(),
        audio: Vec::new(),
        lost_audio: Vec::new(),
        captions: Vec::new(),
    }
}

const SHOWN: Packets = Packets {
    start: 0.0,
    end: 400.0,
    whole: 400.0,
    count: 10_000,
    key_distance: 2.0,
    has_hidden: false,
    has_changes: false,
};

fn picture(change: &Value) -> Value {
    let mut stream = json!({ "index": 0, "codec_type": "video", "codec_name": "h264", "profile": "High", "pix_fmt": "yuv420p",
        "width": 1920, "height": 1080, "avg_frame_rate": "25/1", "r_frame_rate": "25/1", "field_order": "progressive" });
    stream.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    stream
}

/// Returns the film of these streams with these packets, if there is one.
fn read_all(streams: &[Value], packets: &[Option<Packets>]) -> Option<Source> {
    let format = json!({ "format_name": "mov,mp4", "duration": "5000" });
    let answer: Answer = serde_json::from_value(json!({ "streams": streams, "format": format })).unwrap();
    let decodable = ["h264", "aac", "ac3"].map(str::to_owned).into();
    let tracks = Tracks { answer: &answer, packets, decodable: &decodable };
    let (video, shown) = tracks.choose("video")?;
    tracks.source(video, shown)
}

fn read(change: &Value) -> Option<Source> {
    read_all(&[picture(change)], &[Some(SHOWN)])
}

#[test]
fn rotated_phone_video_is_upright() {
    let turned = "\n00000000: 0 65536 0\n00000001: -65536 0 0\n00000002: 0 0 1073741824\n";
    let source = read(&json!({ "side_data_list": [{ "rotation": -90, "displaymatrix": turned }] })).unwrap();
    assert_eq!((source.width, source.height, source.is_plain), (1080, 1920, false));
    let mirrored = "\n00000000: 65536 0 0\n00000001: 0 -65536 0\n00000002: 0 0 1073741824\n";
    let source = read(&json!({ "side_data_list": [{ "displaymatrix": mirrored }] })).unwrap();
    assert_eq!((source.width, source.is_plain), (1920, false));
    assert!(read(&json!({})).unwrap().is_plain);
}

#[test]
fn non_square_pixels_are_scaled() {
    let source = read(&json!({ "width": 720, "height": 576, "sample_aspect_ratio": "64:45" })).unwrap();
    assert_eq!((source.width, source.height, source.is_plain), (1024, 576, false));
    assert_eq!(read(&json!({ "sample_aspect_ratio": "0:1" })).unwrap().width, 1920);
}

#[test]
fn frame_rates_are_rounded_to_standard_ones() {
    for (average, rate) in [
        ("30000/1001", (30_000, 1001)),
        ("2997/100", (30_000, 1001)),
        ("24000/1001", (24_000, 1001)),
        ("24/1", (24, 1)),
        ("120/1", (60, 1)),
        ("0/0", (25, 1)),
        ("33/2", (16_500, 1000)),
    ] {
        let read = read(&json!({ "avg_frame_rate": average, "r_frame_rate": average })).unwrap();
        assert_eq!(read.rate, rate, "{average}");
    }
    assert!(!read(&json!({ "avg_frame_rate": "120/1", "r_frame_rate": "120/1" })).unwrap().is_plain);
    assert!(!read(&json!({ "r_frame_rate": "90000/1" })).unwrap().is_plain, "variable frame rate");
}

#[test]
fn fields_become_frames_up_to_the_maximum_rate() {
    for (rate, expected) in [("25/1", (50, 1)), ("30000/1001", (60_000, 1001)), ("50/1", (50, 1))] {
        let read = read(&json!({ "field_order": "tt", "avg_frame_rate": rate })).unwrap();
        assert_eq!((read.rate, read.is_plain), (expected, false), "{rate}");
        assert_eq!(read.deinterlacing.contains("send_field"), rate != "50/1", "{rate}");
    }
    assert_eq!(read(&json!({})).unwrap().deinterlacing, "");
}

#[test]
fn files_without_video_are_refused() {
    assert!(read(&json!({ "codec_type": "audio" })).is_none());
    for mark in ["attached_pic", "timed_thumbnails", "still_image"] {
        assert!(read(&json!({ "disposition": { "default": 1, mark: 1 } })).is_none(), "{mark}");
    }
    assert!(read(&json!({ "width": 0 })).is_none());
    assert!(read(&json!({ "codec_name": "unknown" })).is_none());
    assert!(read_all(&[picture(&json!({}))], &[None]).is_none(), "it has no packets");
}

#[test]
fn usable_default_tracks_are_chosen() {
    let track = |index: u32, kind: &str, codec: &str, default: u8| {
        picture(
            &json!({ "index": index, "codec_type": kind, "codec_name": codec, "disposition": { "default": default } }),
        )
    };
    let chosen = |streams: &[(&str, &str, u8)]| {
        let streams: Vec<Value> =
            (0..).zip(streams).map(|(index, (kind, codec, default))| track(index, kind, codec, *default)).collect();
        let source = read_all(&streams, &vec![Some(SHOWN); streams.len()]).unwrap();
        (source.index, source.audio.first().map(|sound| sound.index), source.lost_audio)
    };
    let video = ("video", "h264", 0);
    assert_eq!(chosen(&[video, ("video", "h264", 1), ("audio", "aac", 0)]), (1, Some(2), vec![]));
    assert_eq!(chosen(&[video, ("video", "unknown", 1)]), (0, None, vec![]));
    assert_eq!(chosen(&[video, ("audio", "unknown", 1), ("audio", "aac", 0)]), (0, Some(2), vec![]));
    assert_eq!(chosen(&[video, ("audio", "aac", 0), ("audio", "ac3", 1)]), (0, Some(2), vec![]));
    assert_eq!(chosen(&[video, ("audio", "apac", 1)]), (0, None, vec!["apac".to_owned()]));
}

#[test]
fn chapters_are_those_of_the_film() {
    let chapters = |list: &[(&str, Option<&str>)]| {
        let chapter =
            |(start, title): &(&str, Option<&str>)| json!({ "start_time": start, "tags": { "title": title } });
        let list: Vec<Value> = list.iter().map(chapter).collect();
        let answer: Answer = serde_json::from_value(json!({ "format": {}, "chapters": list })).unwrap();
        // The film lasts 60 seconds and begins at 10 by the clock of the file.
        let found = chapters::titled(&answer.chapters, 10.0, 70.0).into_iter();
        found.map(|chapter| format!("{} {}", chapter.start, chapter.title)).collect::<Vec<_>>()
    };
    assert_eq!(
        chapters(&[("12.5", Some("Opening")), ("40.9", Some("Two\r\n \u{202E}lines\u{7}")), ("69.9", Some("- Three"))]),
        ["0 Opening", "30 Two lines", "59 Three"]
    );
    assert_eq!(
        chapters(&[("-5", Some("A")), ("20", None), ("25", Some(" ")), ("30", Some("B")), ("30", Some("C"))]),
        ["0 A", "20 B"],
        "without a title, or at the same time"
    );
    assert_eq!(chapters(&[("10", Some("A")), ("70", Some("B"))]), [""; 0], "one is the whole film");
    assert_eq!(chapters(&[("NaN", Some("A")), ("nothing", Some("B"))]), [""; 0]);
}

#[test]
fn used_tracks_determine_the_length() {
    let streams = [picture(&json!({})), json!({ "index": 1, "codec_type": "audio", "codec_name": "aac" })];
    let heard = Packets { start: -2.0, end: 500.0, ..SHOWN };
    let source = read_all(&streams, &[Some(SHOWN), Some(heard)]).unwrap();
    assert_eq!((source.start, source.duration, source.picture), (-2.0, 502.0, 2.0..402.0));
    assert!(!source.is_plain, "still pictures are needed before and after");
    let source = read_all(&streams, &[Some(SHOWN), None]).unwrap();
    assert_eq!((source.duration, source.is_plain, source.audio), (400.0, true, Vec::new()));
}

#[test]
fn only_evenly_timed_visible_frames_are_copied() {
    let is_plain = |change: fn(&mut Packets)| {
        let mut shown = SHOWN;
        change(&mut shown);
        read_all(&[picture(&json!({}))], &[Some(shown)]).unwrap().is_plain
    };
    assert!(is_plain(|_| {}));
    assert!(!is_plain(|shown| shown.count = 9000));
    assert!(!is_plain(|shown| shown.key_distance = 6.1));
    assert!(!is_plain(|shown| shown.has_hidden = true));
    assert!(!is_plain(|shown| shown.has_changes = true));
}

#[test]
fn declared_length_is_that_of_the_track() {
    let declared = |name: &str, tracks: usize, change: &Value, start: f64| {
        let streams = vec![picture(change); tracks];
        let format = json!({ "format_name": name, "duration": "400" });
        let answer: Answer = serde_json::from_value(json!({ "streams": streams, "format": format })).unwrap();
        answer.declared_seconds(&answer.streams[0], start)
    };
    let tagged = json!({ "tags": { "DURATION": "00:01:02.500000000" } });
    assert_eq!(declared("mov,mp4", 2, &json!({ "duration": "90.5" }), 3.0), Some(90.5));
    assert_eq!(declared("matroska", 2, &tagged, 2.5), Some(60.0), "it ends at this time");
    assert_eq!(declared("matroska", 1, &json!({}), 0.0), Some(400.0));
    assert_eq!(declared("matroska", 2, &json!({}), 0.0), None, "the other track may be longer");
    assert_eq!(declared("mpegts", 1, &json!({ "duration": "90000" }), 0.0), None);
}
