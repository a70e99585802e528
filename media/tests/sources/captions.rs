//! Tests that text tracks of films become captions, with the times of the film.

use lantern_catalog::captions::{CaptionKind, CaptionTrack};
use lantern_config::Config;
use lantern_media::{captions::Cue, film};

use crate::support::{TOOLS, ffmpeg};

const PICTURE: &str = "-f lavfi -i testsrc2=s=160x120:r=25";
const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";

#[tokio::test]
async fn text_tracks_become_captions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("a.srt"), "1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i> & welcome\n").unwrap();
    std::fs::write(folder.join("late.srt"), "1\n00:00:01,500 --> 00:00:09,000\nTo the end\n").unwrap();
    let marks = "-metadata:s:s:0 language=ger -metadata:s:s:1 language=eng -disposition:s:1 hearing_impaired \
                 -metadata:s:s:2 language=eng -disposition:s:2 forced -metadata:s:s:4 language=de";
    let texts = "-i a.srt -i late.srt -i a.srt -i a.srt -i late.srt -map 0 -map 1 -map 2 -map 3 -map 4 -map 5";
    ffmpeg(folder, &format!("{PICTURE} {texts} -t 4 {H264} {marks} film.mkv"));
    // The film begins at second 10 by the clock of the file.
    ffmpeg(folder, "-i film.mkv -map 0 -c copy -output_ts_offset 10 offset.mkv");
    ffmpeg(folder, "-i film.mkv -map 0:v -map 0:s:0 -c:v copy -c:s mov_text film.mp4");
    let limits = Config::load(None).unwrap().captions;
    let track = |lang: &str, kind| CaptionTrack { lang: lang.to_owned(), kind };
    let cue = |from, to, text: &str| Cue { from, to, text: text.to_owned(), settings: String::new() };
    let german = (track("de", CaptionKind::Subtitles), vec![cue(1000, 2000, "<i>Hello</i> &amp; welcome")]);
    let english = (track("en", CaptionKind::Captions), vec![cue(1500, 4000, "To the end")]);
    for (name, expected) in [
        ("film.mkv", vec![german.clone(), english.clone()]),
        ("offset.mkv", vec![german.clone(), english]),
        ("film.mp4", vec![german]),
    ] {
        let file = folder.join(name);
        let source = film::probe(&TOOLS, &file).await.unwrap();
        let made = tempfile::tempdir().unwrap();
        let found = film::read_captions(&TOOLS, &file, &source, made.path(), &limits).await.unwrap();
        let found: Vec<(CaptionTrack, Vec<Cue>)> =
            found.into_iter().map(|(track, cues)| (track, serde_json::from_value(cues).unwrap())).collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(std::fs::read_dir(made.path()).unwrap().count(), 0, "{name}: nothing is left behind");
    }
}
