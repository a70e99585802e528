//! Renders a demo clip: the film, its HLS ladder and its stills.

use std::path::{Path, PathBuf};

use lantern_config::{Preset, Rung};
use tokio::fs;

use super::{
    has_content,
    scenes::{FPS, SCENES, SIZE, Scene},
    unfinished,
};
use crate::{
    Error, Result,
    film::{self, Ladder, ladder::SEGMENT_SECONDS, stills},
    tool::Tools,
};

/// Heights of the renditions, tallest first, in pixels.
const HEIGHTS: [u16; 2] = [480, 240];
/// The ladder for these heights.
const LADDER: Ladder = Ladder {
    rungs: &[
        Rung { height: 240, crf: 27, max_rate: 400, audio: 64 },
        Rung { height: 480, crf: 25, max_rate: 1400, audio: 96 },
    ],
    max_height: 480,
    hardware: None,
    preset: Preset::Veryfast,
    second: None,
};
/// Distance between key frames in frames. Segments are cut at key frames.
const KEY_FRAMES: usize = SEGMENT_SECONDS as usize * FPS;

pub(super) fn folder(demo: &Path, number: usize) -> PathBuf {
    demo.join(format!("{number:02}"))
}

/// Returns whether every file that pages request exists.
pub(super) fn is_complete(folder: &Path) -> bool {
    let renditions = HEIGHTS.iter().map(|height| format!("hls/{height}.m3u8"));
    let fixed = ["video.mp4", "hls/master.m3u8"].map(str::to_owned);
    fixed.into_iter().chain(renditions).chain(stills::names()).all(|name| has_content(&folder.join(name)))
}

/// Renders one clip in a temporary folder, then moves it into place.
pub(super) async fn render(demo: &Path, number: usize) -> Result<()> {
    render_scene(demo, &folder(demo, number), &SCENES[number]).await
}

pub(super) async fn render_scene(demo: &Path, place: &Path, scene: &Scene) -> Result<()> {
    let part = unfinished(demo)?;
    film(part.path(), scene).await?;
    let whole = part.path().join("video.mp4");
    let tools = Tools::own();
    let source = film::probe(&tools, &whole).await?;
    film::make(&tools, &whole, &source, LADDER, part.path(), |_, _| ()).await?;

    if fs::try_exists(place).await.map_err(Error::at(place))? {
        fs::remove_dir_all(place).await.map_err(Error::at(place))?;
    }
    fs::rename(part.path(), place).await.map_err(Error::at(place))
}

/// Renders `video.mp4`: H.264 and AAC, with the index at the front so that it plays while loading.
async fn film(part: &Path, scene: &Scene) -> Result<()> {
    let graph = scene.graph();
    let rest = format!(
        "-map [v] -map [a] -t {} -s {SIZE} -c:v libx264 -profile:v main -level:v 3.0 -preset superfast -crf 25 \
         -maxrate 700k -bufsize 1400k -g {KEY_FRAMES} -sc_threshold 0 -pix_fmt yuv420p -c:a aac -b:a 64k \
         -movflags +faststart video.mp4",
        scene.seconds
    );
    let args = ["-filter_complex", &graph].into_iter().chain(rest.split(' '));
    Tools::own().ffmpeg(part, "rendering a demo clip", args).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::scenes::short;

    async fn stream(file: &Path, entries: &str) -> String {
        let fields = format!("stream={entries}");
        let args = ["-select_streams", "v:0", "-show_entries", &fields, "-of", "csv=p=0:s=x"];
        Tools::own().ffprobe(file, args).await.unwrap().trim().to_owned()
    }

    #[tokio::test]
    async fn clip_is_complete_and_replaces_an_incomplete_one() {
        let demo = tempfile::tempdir().unwrap();
        let place = folder(demo.path(), 3);
        std::fs::create_dir_all(place.join("hls")).unwrap();
        std::fs::write(place.join("video.mp4"), "half").unwrap();
        assert!(!is_complete(&place));

        render_scene(demo.path(), &place, &short()).await.unwrap();
        assert!(is_complete(&place));
        assert_eq!(std::fs::read_dir(demo.path()).unwrap().count(), 1, "no unfinished files remain");

        assert_eq!(stream(&place.join("video.mp4"), "codec_name,width,height,nb_frames").await, "h264x854x480x96");
        assert_eq!(stream(&place.join("poster.jpg"), "width,height").await, "1280x720");
        assert_eq!(stream(&place.join("poster.webp"), "width,height").await, "1280x720");
        assert_eq!(stream(&place.join("preview.mp4"), "width,height,nb_frames").await, "320x180x24");
        if Tools::own().avif().await.unwrap().is_some() {
            assert_eq!(stream(&place.join("poster.avif"), "codec_name,width,height").await, "av1x1280x720");
        }
        assert_eq!(stream(&place.join("shot-9-320.webp"), "width,height").await, "320x180");
        assert_eq!(stream(&place.join("shot-0-640.webp"), "width,height").await, "640x360");
        assert_eq!(stream(&place.join("sprite.webp"), "width,height").await, "1600x90");
        assert_eq!(stream(&place.join("timeline.jpg"), "width,height").await, "800x90");
    }

    #[tokio::test]
    async fn master_playlist_lists_heights_by_descending_bandwidth() {
        let demo = tempfile::tempdir().unwrap();
        let place = folder(demo.path(), 0);
        render_scene(demo.path(), &place, &short()).await.unwrap();
        let master = std::fs::read_to_string(place.join("hls/master.m3u8")).unwrap();
        let bandwidth: Vec<u64> = master
            .lines()
            .filter_map(|line| line.strip_prefix("#EXT-X-STREAM-INF:BANDWIDTH=")?.split(',').next()?.parse().ok())
            .collect();
        assert_eq!(bandwidth.len(), 2);
        assert!(bandwidth[0] > bandwidth[1] && bandwidth[1] > 0, "{bandwidth:?}");
        for height in HEIGHTS {
            let playlist = place.join(format!("hls/{height}.m3u8"));
            let text = std::fs::read_to_string(&playlist).unwrap();
            assert!(text.contains("#EXT-X-ENDLIST") && text.contains(&format!("{height}-0.m4s")), "{text}");
            assert!(stream(&playlist, "height").await.starts_with(&height.to_string()));
        }
    }

    #[tokio::test]
    async fn index_is_at_the_front() {
        let demo = tempfile::tempdir().unwrap();
        film(demo.path(), &short()).await.unwrap();
        let bytes = std::fs::read(demo.path().join("video.mp4")).unwrap();
        let at = |tag: &[u8]| bytes.windows(4).position(|window| window == tag).unwrap();
        assert!(at(b"moov") < at(b"mdat"));
    }
}
