//! Chapters that a file contains.

use lantern_catalog::chapters::{self, Chapter};
use serde::Deserialize;

use super::streams::seconds;

#[derive(Deserialize)]
pub struct ProbedChapter {
    start_time: Option<String>,
    #[serde(default)]
    tags: ChapterTags,
}

#[derive(Default, Deserialize)]
struct ChapterTags {
    title: Option<String>,
}

/// Returns the chapters of a film that begins at `start` and ends at `end` by the clock of the file. Those without a title are left
/// out. The first one begins with the film, because something always plays.
pub fn titled(chapters: &[ProbedChapter], start: f64, end: f64) -> Vec<Chapter> {
    let mut found: Vec<Chapter> = Vec::new();
    for chapter in chapters {
        let Some(at) = seconds(chapter.start_time.as_deref()).filter(|at| *at < end) else { continue };
        let title = one_line(chapter.tags.title.as_deref().unwrap_or_default());
        let start = whole_seconds(at - start);
        if !title.is_empty() && found.last().is_none_or(|last| last.start < start) {
            found.push(Chapter { start: if found.is_empty() { 0 } else { start }, title });
        }
    }
    // A single one is the whole film.
    if found.len() < 2 { Vec::new() } else { found }
}

/// Removes line breaks, and control and formatting characters, which could disguise the text around them.
pub fn one_line(title: &str) -> String {
    let is_hidden =
        |c: char| matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    let shown: String =
        title.chars().filter(|c| !is_hidden(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    chapters::one_line(&shown)
}

#[expect(clippy::cast_possible_truncation, reason = "at most a day, or saturated")]
fn whole_seconds(seconds: f64) -> i32 {
    seconds.max(0.0) as i32
}
