//! The demo's pictures and films: abstract, rendered by ffmpeg's own generators, so nothing has to be downloaded.
//!
//! ```text
//! demo/00 … demo/11/   video.mp4, hls/master.m3u8, poster.{jpg,webp,avif}, preview.mp4, shot-0…9-{320,640}.webp, sprite.webp,
//!                      timeline.jpg, timeline.vtt
//! demo/pictures/       00…47-{320,640}.webp, square
//! ```

mod clip;
mod palette;
mod pictures;
mod scenes;
mod upload;

use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::fs;

pub use pictures::COUNT as PICTURES;
pub use upload::slow_motion;

use crate::{Error, Result, tool};

/// How many clips there are; media keys run from `demo/00`.
pub const CLIPS: usize = scenes::SCENES.len();
/// Folders being written carry this prefix until they are complete.
const UNFINISHED: &str = ".part-";

/// How far the rendering is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps finished or found finished.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// One step of the work.
#[derive(Clone, Copy)]
enum Step {
    Clip(usize),
    Pictures(usize),
}

/// Renders what is missing of the demo below `media_dir`, as many steps at a time as there are processors.
///
/// A step is written beside its place and renamed when complete, so an interrupted run leaves nothing half-made, and
/// a second run has nothing to do. `progress` is called at the start and after each step.
pub async fn render(media_dir: &Path, progress: impl Fn(Progress)) -> Result<()> {
    let demo = media_dir.join("demo");
    let pictures = demo.join("pictures");
    fs::create_dir_all(&pictures).await.map_err(Error::at(&pictures))?;
    let _alone = alone(&demo).await?;
    sweep(&demo).await?;

    let steps: Vec<Step> = (0..CLIPS).map(Step::Clip).chain((0..pictures::FAMILIES).map(Step::Pictures)).collect();
    let total = steps.len();
    let missing: Vec<Step> = steps
        .into_iter()
        .filter(|step| match *step {
            Step::Clip(number) => !clip::is_complete(&clip::folder(&demo, number)),
            Step::Pictures(family) => !pictures::is_complete(&pictures, family),
        })
        .collect();
    let done = AtomicUsize::new(total - missing.len());
    progress(Progress { done: done.load(Ordering::Relaxed), total });
    if missing.is_empty() {
        return Ok(());
    }
    tool::check().await?;

    let at_a_time = std::thread::available_parallelism().map_or(1, usize::from);
    stream::iter(missing)
        .map(|step| {
            let (demo, pictures) = (&demo, &pictures);
            async move {
                match step {
                    Step::Clip(number) => clip::render(demo, number).await,
                    Step::Pictures(family) => pictures::render(demo, pictures, family).await,
                }
            }
        })
        .buffer_unordered(at_a_time)
        .try_for_each(|()| {
            progress(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
            std::future::ready(Ok(()))
        })
        .await
}

/// Waits until no other process renders into the folder: what another one has started would look like what an interrupted run left.
async fn alone(demo: &Path) -> Result<std::fs::File> {
    let path = demo.join(".drawing");
    let lock = tokio::task::spawn_blocking({
        let path = path.clone();
        move || {
            let file = std::fs::File::create(path)?;
            file.lock().map(|()| file)
        }
    });
    lock.await.map_err(|e| Error::at(&path)(e.into()))?.map_err(Error::at(&path))
}

/// Removes what an interrupted run left unfinished.
async fn sweep(demo: &Path) -> Result<()> {
    let mut entries = fs::read_dir(demo).await.map_err(Error::at(demo))?;
    while let Some(entry) = entries.next_entry().await.map_err(Error::at(demo))? {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            fs::remove_dir_all(entry.path()).await.map_err(Error::at(&entry.path()))?;
        }
    }
    Ok(())
}

/// A new folder beside the finished ones, removed again unless its content is moved away.
fn unfinished(demo: &Path) -> Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(demo).map_err(Error::at(demo))
}

/// Draws every picture, for tests of what is done with pictures.
#[cfg(test)]
pub(crate) async fn drawn_pictures() -> Vec<image::RgbImage> {
    let demo = tempfile::tempdir().unwrap();
    let folder = demo.path().join("pictures");
    std::fs::create_dir(&folder).unwrap();
    let mut drawn = Vec::new();
    for family in 0..pictures::FAMILIES {
        pictures::render(demo.path(), &folder, family).await.unwrap();
    }
    for number in 0..PICTURES {
        drawn.push(image::open(folder.join(format!("{number:02}-320.webp"))).unwrap().into_rgb8());
    }
    drawn
}

/// Whether the file exists and is not empty.
fn has_content(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
}
