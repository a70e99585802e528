//! Films of the minimum upload length, made from demo clips within moments, because nothing is rendered or encoded again.

use std::path::{Path, PathBuf};

use super::{clip, scenes::SCENES};
use crate::{Error, Result, tool::Tools};

/// Stretches a clip, which must exist, to `seconds` by slowing it down. Drops the sound, which would take most of the time to process.
pub async fn slow_motion(media_dir: &Path, number: usize, seconds: usize, file: &Path) -> Result<()> {
    let clip = clip::folder(&media_dir.join("demo"), number).join("video.mp4");
    let clip = std::path::absolute(&clip).map_err(Error::at(&clip))?;
    let folder = file.parent().map_or_else(PathBuf::new, Path::to_owned);
    let args = slowed(&clip, SCENES[number % SCENES.len()].seconds, seconds, file);
    Tools::own().ffmpeg(&folder, "slowing down a demo clip", args).await
}

/// Returns arguments that only shift timestamps. The film then has few frames per second, which makes processing cheap.
fn slowed(clip: &Path, length: usize, seconds: usize, file: &Path) -> Vec<String> {
    let (clip, pace, seconds) = (clip.display().to_string(), seconds as f64 / length as f64, seconds.to_string());
    let pace = pace.to_string();
    let args = ["-itsscale", &pace, "-i", &clip, "-map", "0:v", "-c", "copy", "-t", &seconds, "-f", "mp4"];
    args.into_iter().map(str::to_owned).chain([file.display().to_string()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        demo::{clip::render_scene, scenes::short},
        film,
    };

    #[tokio::test]
    async fn slowed_clip_has_an_allowed_length() {
        let demo = tempfile::tempdir().unwrap();
        let place = clip::folder(demo.path(), 0);
        render_scene(demo.path(), &place, &short()).await.unwrap();
        let file = demo.path().join("slow.part");
        let args = slowed(&place.join("video.mp4"), short().seconds, 380, &file);
        Tools::own().ffmpeg(demo.path(), "slowing down", args).await.unwrap();
        let source = film::probe(&Tools::own(), &file).await.unwrap();
        assert!((360.0..381.0).contains(&source.duration), "{source:?}");
        let (over, under) = source.rate;
        assert!(over <= 2 * under, "{over}/{under} frames per second");
    }
}
