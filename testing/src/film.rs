//! Small, reproducible videos.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::{fs, process::Command};

/// Generates a video of `seconds` in ffmpeg's notation ("2", "601.4"). Videos with different numbers look different.
///
/// # Panics
/// If ffmpeg is missing or fails.
#[must_use]
pub fn film(seconds: &str, number: u8) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    // In Conway's Game of Life, each seed yields distinctive frames.
    let picture = format!("life=s=20x15:r=2:seed={number}:ratio=0.4,scale=320:240:flags=neighbor,fps=25");
    let written = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "film.mp4"];
    let made = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", &picture, "-t", seconds])
        .args(written)
        .status();
    assert!(made.unwrap().success());
    fs::read(folder.path().join("film.mp4")).unwrap()
}
