//! Chapters of videos: lines such as `1:23 Title`, which owners write, descriptions contain and films bring along.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

/// A chapter, which ends where the next one begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Second at which it begins.
    pub start: i32,
    /// Title on one line, not empty.
    pub title: String,
}

/// Why a list of chapters is refused, with the number of the line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadLine {
    /// The line isn't a time and a title.
    Unreadable(usize),
    /// The first chapter doesn't begin at 0:00.
    Start(usize),
    /// The chapter doesn't begin after the one before it.
    Order(usize),
    /// The chapter begins at the end of the film or later.
    Late(usize),
}

/// Least number of times in a description that make chapters. Fewer only mention moments of the film.
const LEAST: usize = 3;
/// Punctuation between the time and the title. Dashes may also stand between the two times of a range.
const SEPARATORS: [char; 5] = [':', '：', '|', '·', '•'];
const DASHES: [char; 7] = ['-', '‐', '–', '—', '−', '~', '～'];
/// Punctuation before the time of a line.
const BULLETS: [char; 5] = ['-', '–', '•', '*', '·'];
const OPENING: [char; 4] = ['[', '(', '（', '【'];
const CLOSING: [char; 4] = [']', ')', '）', '】'];

/// Parses chapters as their owner wrote them. Empty lines are skipped. `duration` is in seconds, if it is known.
///
/// # Errors
/// Returns the first line that makes no chapter. The first chapter must begin at 0:00, and each other one after the one before it and
/// before the end of the film.
pub fn written(text: &str, duration: Option<i32>) -> Result<Vec<Chapter>, BadLine> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let chapters = lines.map(|(at, line)| Ok((at + 1, chapter(line).ok_or(BadLine::Unreadable(at + 1))?)));
    checked(chapters.collect::<Result<_, _>>()?, duration)
}

/// Returns the chapters in a description. Its other lines are skipped, but all its times must make chapters, and there must be at least
/// three, as on other video sites.
#[must_use]
pub fn described(description: &str, duration: i32) -> Vec<Chapter> {
    let lines = description.lines().enumerate().filter_map(|(at, line)| Some((at + 1, chapter(line)?))).collect();
    checked(lines, Some(duration)).ok().filter(|chapters| chapters.len() >= LEAST).unwrap_or_default()
}

/// Returns the chapters of a film of `duration` seconds: those that are stored, or else those in the first of the descriptions that has
/// some, with its number.
#[must_use]
pub fn of(text: &str, descriptions: &[&str], duration: i32) -> (Option<usize>, Vec<Chapter>) {
    let own = stored(text, duration);
    if !own.is_empty() {
        return (None, own);
    }
    let all = descriptions.iter().map(|text| described(text, duration)).enumerate();
    let mut some = all.filter(|(_, found)| !found.is_empty());
    some.next().map_or_else(Default::default, |(at, found)| (Some(at), found))
}

/// Returns the chapters of a film of `duration` seconds, which are stored as `text`. Lines that make no chapter of this film are skipped.
#[must_use]
pub fn stored(text: &str, duration: i32) -> Vec<Chapter> {
    let fits = |chapter: &Chapter| chapter.start < duration;
    text.lines().filter_map(chapter).filter(fits).collect()
}

/// Returns the chapters to store for a video that gets a new film of `duration` seconds: its own ones before the end of that film. If
/// neither they nor the description have any, those `of_film`.
#[must_use]
pub fn replaced(own: &str, description: &str, of_film: &str, duration: i32) -> String {
    if own.is_empty() && described(description, duration).is_empty() {
        return of_film.to_owned();
    }
    text(&stored(own, duration))
}

/// Writes chapters as text to store: a line for each.
#[must_use]
pub fn text(chapters: &[Chapter]) -> String {
    let mut out = String::new();
    for Chapter { start, title } in chapters {
        let line_break = if out.is_empty() { "" } else { "\n" };
        let (hours, minutes, seconds) = (start / 3600, start / 60 % 60, start % 60);
        // Writing to a `String` can't fail.
        let _ = match hours {
            0 => write!(out, "{line_break}{minutes}:{seconds:02} {title}"),
            _ => write!(out, "{line_break}{hours}:{minutes:02}:{seconds:02} {title}"),
        };
    }
    out
}

fn checked(lines: Vec<(usize, Chapter)>, duration: Option<i32>) -> Result<Vec<Chapter>, BadLine> {
    let mut last = None;
    for (line, Chapter { start, .. }) in &lines {
        match last {
            None if *start > 0 => return Err(BadLine::Start(*line)),
            Some(last) if *start <= last => return Err(BadLine::Order(*line)),
            _ if duration.is_some_and(|duration| *start >= duration) => return Err(BadLine::Late(*line)),
            _ => last = Some(*start),
        }
    }
    Ok(lines.into_iter().map(|(_, chapter)| chapter).collect())
}

/// Parses a line: a time, perhaps in brackets or as a range, and a title.
fn chapter(line: &str) -> Option<Chapter> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || BULLETS.contains(&c) || OPENING.contains(&c));
    let (start, rest) = clock(line)?;
    let mut title = rest.trim_start_matches(separates);
    // The end of a range says nothing, because a chapter ends where the next one begins.
    let is_range = rest[..rest.len() - title.len()].contains(DASHES);
    if let Some((_, after)) = clock(title).filter(|(end, _)| is_range && *end > start) {
        title = after;
    }
    let title = one_line(title);
    (!title.is_empty()).then_some(Chapter { start, title })
}

/// Returns a title on one line, without the punctuation at its beginning that a line has between the time and the title.
#[must_use]
pub fn one_line(title: &str) -> String {
    title.trim_start_matches(separates).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn separates(c: char) -> bool {
    c.is_whitespace() || SEPARATORS.contains(&c) || DASHES.contains(&c) || CLOSING.contains(&c)
}

/// Parses the time at the beginning of a text: `m:ss` or `h:mm:ss`, perhaps with full-width characters. Returns the seconds and the rest.
fn clock(text: &str) -> Option<(i32, &str)> {
    let end = text.find(|c| digit(c).is_none() && !is_colon(c)).unwrap_or(text.len());
    // A colon may separate the time from the title.
    let time = text[..end].trim_end_matches(is_colon);
    let rest = &text[time.len()..];
    let parts: Vec<&str> = time.split(is_colon).collect();
    let (first, others) = parts.split_first()?;
    let is_clock = (1..=3).contains(&first.chars().count())
        && (1..=2).contains(&others.len())
        && others.iter().all(|part| part.chars().count() == 2)
        // `10:30pm` and `1:23.5` mean something else.
        && !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
    if !is_clock {
        return None;
    }
    let number = |part: &&str| part.chars().filter_map(digit).fold(0, |sum, digit| sum * 10 + digit);
    let numbers: Vec<i32> = parts.iter().map(number).collect();
    let is_valid = numbers[1..].iter().all(|part| *part < 60);
    is_valid.then(|| (numbers.iter().fold(0, |sum, part| sum * 60 + part), rest))
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

fn digit(c: char) -> Option<i32> {
    let zero = match c {
        '0'..='9' => '0',
        '０'..='９' => '０',
        _ => return None,
    };
    i32::try_from(u32::from(c) - u32::from(zero)).ok()
}
