//! Small films that are the same in each run.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::{fs, process::Command};

/// A film of so many seconds, as ffmpeg writes them: "2" or "601.4". Another number is another film, which looks like no other.
///
/// # Panics
/// ffmpeg isn't there, or can't write.
#[must_use]
pub fn film(seconds: &str, number: u8) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    // Cells that live by their neighbours: of each number's film the frames look like nothing else.
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
