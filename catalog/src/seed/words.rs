//! Word lists. Each line is a concept and each column a language, in the order of the API. The columns of a line are
//! translations of each other, so a title built from three line numbers exists in every language.

use lantern_config::Lang;
use serde_json::{Value, json};

use crate::chapters::{self, Chapter};

/// Videos whose ids are multiples of this have chapters.
const CHAPTERED: i64 = 6;
/// Length of their chapters. The demo clips last at least 20 seconds.
const CHAPTER_SECONDS: usize = 5;

/// Lines of a video's captions.
const LINES: usize = 4;
/// Milliseconds from one line to the next.
const LINE_MS: usize = 4500;

/// A concept in all languages.
pub(super) type Phrase = [&'static str; 10];

pub(super) struct Words {
    pub(super) categories: Vec<(&'static str, Phrase)>,
    /// Name of the place, and the phrase for "in the place".
    places: Vec<(Phrase, Phrase)>,
    subjects: Vec<Phrase>,
    occasions: Vec<Phrase>,
    pub(super) descriptions: Vec<Phrase>,
    /// Titles of a video's chapters, in order.
    chapters: Vec<Phrase>,
    /// Lines of captions.
    lines: Vec<Phrase>,
    pub(super) comments: Vec<Phrase>,
    pub(super) playlists: Vec<Phrase>,
    pub(super) about: Vec<Phrase>,
    /// Japanese names: in Latin letters, in kana, in kanji and in Cyrillic.
    pub(super) surnames: Vec<Vec<&'static str>>,
    pub(super) given_she: Vec<Vec<&'static str>>,
    pub(super) given_he: Vec<Vec<&'static str>>,
    /// Name, country, race, alternative spelling, Russian and Japanese name.
    pub(super) others_she: Vec<Vec<&'static str>>,
    pub(super) others_he: Vec<Vec<&'static str>>,
}

/// Content of a title, which is independent of the language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    pattern: usize,
    subject: usize,
    place: usize,
    occasion: usize,
    /// Number within a series, starting from 2.
    part: Option<u32>,
}

const PATTERNS: [&str; 5] = ["{s} {l}", "{p}: {s}", "{o} {l}: {s}", "{s} – {o}", "{p}, {o}"];
/// Japanese titles put the place first and use no spaces.
const PATTERNS_JA: [&str; 5] = ["{p}の{s}", "{p}：{s}", "{o}の{p}、{s}", "{s}〜{o}", "{p}、{o}"];

impl Words {
    pub(super) fn load() -> Self {
        let places = phrases(include_str!("words/places.txt"));
        Self {
            categories: include_str!("words/categories.txt")
                .lines()
                .filter_map(|line| line.split_once('|'))
                .map(|(dir, titles)| (dir, phrase(titles)))
                .collect(),
            places: places.into_iter().map(|p| (p.map(|w| half(w).0), p.map(|w| half(w).1))).collect(),
            subjects: phrases(include_str!("words/subjects.txt")),
            occasions: phrases(include_str!("words/occasions.txt")),
            descriptions: phrases(include_str!("words/descriptions.txt")),
            chapters: phrases(include_str!("words/chapters.txt")),
            lines: phrases(include_str!("words/lines.txt")),
            comments: phrases(include_str!("words/comments.txt")),
            playlists: phrases(include_str!("words/playlists.txt")),
            about: phrases(include_str!("words/about.txt")),
            surnames: columns(include_str!("words/surnames.txt")),
            given_she: columns(include_str!("words/given_she.txt")),
            given_he: columns(include_str!("words/given_he.txt")),
            others_she: columns(include_str!("words/others_she.txt")),
            others_he: columns(include_str!("words/others_he.txt")),
        }
    }

    /// Picks a random theme.
    pub(super) fn theme(&self, dice: &mut super::dice::Dice) -> Theme {
        Theme {
            pattern: dice.below(PATTERNS.len()),
            subject: dice.below(self.subjects.len()),
            place: dice.below(self.places.len()),
            occasion: dice.below(self.occasions.len()),
            part: dice.chance(0.35).then(|| dice.between(2, 60)),
        }
    }

    /// Renders a theme in a language.
    pub(super) fn title(&self, theme: Theme, lang: Lang) -> String {
        let at = lang as usize;
        let patterns = if lang == Lang::Ja { PATTERNS_JA } else { PATTERNS };
        let (bare, located) = &self.places[theme.place];
        let said = patterns[theme.pattern]
            .replace("{s}", self.subjects[theme.subject][at])
            .replace("{o}", self.occasions[theme.occasion][at])
            .replace("{p}", bare[at])
            .replace("{l}", located[at]);
        let said = capitalised(&said);
        theme.part.map_or_else(|| said.clone(), |part| format!("{said} #{part}"))
    }

    /// Returns a description of the video with this id. Those of every sixth video contain chapters.
    pub(super) fn description(&self, phrase: Phrase, id: i64, lang: Lang) -> String {
        let mut text = phrase[lang as usize].to_owned();
        if id % CHAPTERED == 0 {
            let chapters = (0..).step_by(CHAPTER_SECONDS).zip(&self.chapters);
            let chapters = chapters.map(|(start, titles)| Chapter { start, title: titles[lang as usize].to_owned() });
            text += "\n\n";
            text += &chapters::text(&chapters.collect::<Vec<_>>());
        }
        text
    }

    /// Returns the captions of the video with this id, as JSON, or `None` for nine of ten videos.
    pub(super) fn captions(&self, id: i64, lang: Lang) -> Option<String> {
        if id % 10 != 5 {
            return None;
        }
        let first = usize::try_from(id / 10).unwrap_or_default();
        let cue = |at: usize| {
            let from = at * LINE_MS + 1000;
            let text = self.lines[(first + at) % self.lines.len()][lang as usize];
            json!({ "from": from, "to": from + LINE_MS - 500, "text": text })
        };
        Some(Value::Array((0..LINES).map(cue).collect()).to_string())
    }

    /// Returns a typical query for a theme, which is one of the theme's words.
    pub(super) fn query(&self, theme: Theme, lang: Lang) -> &'static str {
        let at = lang as usize;
        match theme.pattern {
            0 | 1 => self.places[theme.place].0[at],
            2 => self.occasions[theme.occasion][at],
            _ => self.subjects[theme.subject][at],
        }
    }
}

fn columns(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().map(|line| line.split('|').collect()).collect()
}

fn phrases(text: &'static str) -> Vec<Phrase> {
    text.lines().map(phrase).collect()
}

/// Splits a line into its columns. A short line leaves empty fields, which the tests reject.
fn phrase(line: &'static str) -> Phrase {
    let mut words = line.split('|');
    std::array::from_fn(|_| words.next().unwrap_or_default())
}

fn half(word: &'static str) -> (&'static str, &'static str) {
    word.split_once('~').unwrap_or((word, word))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Converts a title to a path segment: lower-case Latin letters and digits separated by single hyphens.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'é' | 'è' | 'ê' => out.push('e'),
            'á' | 'à' => out.push('a'),
            'í' => out.push('i'),
            'ó' | 'ö' => out.push('o'),
            '\'' | '’' => {}
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    if out.is_empty() { "untitled".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concept_exists_in_every_language() {
        let words = Words::load();
        let lists =
            [&words.subjects, &words.occasions, &words.descriptions, &words.comments, &words.playlists, &words.about];
        assert!(lists.into_iter().flatten().flatten().all(|w| !w.is_empty()));
        assert!(words.places.iter().all(|(bare, located)| bare.iter().chain(located).all(|w| !w.is_empty())));
        let columns = |names: &[Vec<&str>], most: usize| names.iter().all(|name| name.len() == most);
        assert!([&words.surnames, &words.given_she, &words.given_he].into_iter().all(|names| columns(names, 4)));
        assert!([&words.others_she, &words.others_he].into_iter().all(|names| columns(names, 6)));
        assert_eq!(words.categories.len(), 60);
        assert!(words.categories.iter().all(|(dir, titles)| slug(dir) == *dir && titles.iter().all(|t| !t.is_empty())));
    }

    #[test]
    fn theme_has_one_title_per_language() {
        let words = Words::load();
        let theme = Theme { pattern: 0, subject: 0, place: 1, occasion: 0, part: None };
        assert_eq!(words.title(theme, Lang::Ja), "箱根温泉の夏旅行");
        assert_eq!(words.title(theme, Lang::En), "A summer trip at the Hakone hot springs");
        assert_eq!(words.title(theme, Lang::Ru), "Летнее путешествие у горячих источников Хаконэ");
        let part = Theme { part: Some(3), ..theme };
        assert_eq!(slug(&words.title(part, Lang::En)), "a-summer-trip-at-the-hakone-hot-springs-3");
        assert_eq!(slug("New Year's café"), "new-years-cafe");
    }
}
