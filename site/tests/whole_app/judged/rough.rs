//! The rough corpus, whose hastily written titles are generated from the words in `corpus/rough.toml`. Unlike the tidy corpus, it has
//! many videos on the same subject, capitals, tags, repetitions, titles of one word and of two lines, and few translations.

use std::collections::BTreeMap;

use lantern_config::Lang;
use serde::Deserialize;

use super::{
    corpus::{Corpus, Names, Titles, Video},
    dice::Dice,
    read,
};

const VIDEOS: usize = 300;
/// Length limits of a title, in characters.
const SHORTEST: usize = 3;
const LONGEST: usize = 200;
const EMOJI: [&str; 6] = ["🔥", "😍", "🎬", "❄️", "🎶", "👇👇"];
const TAGS: [&str; 6] = ["#vlog", "#shorts", "#4k", "#new", "#asmr", "#fyp"];
const EXTRAS: [&str; 6] = ["4K HD", "!!!", "(full video)", "part 2", "2026", "*NEW*"];

#[derive(Debug, Deserialize)]
struct Words {
    subjects: BTreeMap<String, Subject>,
    places: BTreeMap<String, Titles>,
}

#[derive(Debug, Deserialize)]
struct Subject {
    categories: Vec<String>,
    #[serde(flatten)]
    titles: Titles,
}

/// Joins subject and place. In Japanese, the place comes first.
fn joined(subject: &str, place: &str, lang: &str) -> String {
    if lang == Lang::Ja.as_str() { format!("{place}{subject}") } else { format!("{subject} {place}") }
}

/// Returns the plain title with one kind of noise.
fn with_noise(dice: &mut Dice, plain: &str, subject: &str, others: &[&str]) -> String {
    match dice.below(8) {
        0 => plain.to_uppercase(),
        1 => {
            let own = subject.split_whitespace().map(str::to_lowercase).collect::<String>();
            format!("{plain} #{own} {} {}", dice.pick(&TAGS), dice.pick(&TAGS))
        }
        2 => format!("{subject} {subject} {plain}"),
        3 => format!("{} {plain} {}", dice.pick(&EMOJI), dice.pick(&EMOJI)),
        4 => others.iter().fold(plain.to_owned(), |title, other| format!("{title} | {other}")),
        5 => {
            let word = subject.split_whitespace().find(|word| word.chars().count() >= SHORTEST).unwrap_or(subject);
            word.to_owned()
        }
        6 => format!("{plain} {}", dice.pick(&EXTRAS)),
        _ => plain.to_owned(),
    }
}

/// Returns the text in lower case. In capitals, ß is written as SS.
fn unmarked(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss")
}

impl Corpus {
    /// Returns several hundred videos on a few subjects.
    pub fn rough() -> Self {
        let words: Words = read("corpus/rough.toml");
        let names: Names = read("corpus/names.toml");
        let (subjects, places) =
            (words.subjects.values().collect::<Vec<_>>(), words.places.values().collect::<Vec<_>>());
        let models: Vec<_> = names.models.iter().collect();
        let dice = &mut Dice::new("rough corpus");
        let videos = (0..VIDEOS).map(|at| {
            let (subject, place) = (*dice.pick(&subjects), *dice.pick(&places));
            let (has_place, by) = (dice.percent(60), *dice.pick(Lang::ALL));
            let by = if dice.percent(20) { Lang::En } else { by }.as_str();
            let plain = |lang: &str| match has_place {
                true => joined(&subject.titles[lang], &place[lang], lang),
                false => subject.titles[lang].clone(),
            };
            let others: Vec<&Titles> = (0..8).map(|_| &dice.pick(&subjects).titles).collect();
            let in_lang = |lang: &str| others.iter().map(|other| other[lang].as_str()).collect::<Vec<_>>();
            let mut title = with_noise(dice, &plain(by), &subject.titles[by], &in_lang(by));
            let model = *dice.pick(&models);
            if dice.percent(20) {
                title = format!("{} - {title}", model.1.title);
            }
            let title: String = title.chars().take(LONGEST).collect();
            assert!(title.chars().count() >= SHORTEST || by == "ja", "{title}");
            let mut titles = Titles::from([(by.to_owned(), title.trim_end().to_owned())]);
            if dice.percent(60) {
                for lang in dice.some(Lang::ALL.to_vec(), 3) {
                    titles.entry(lang.as_str().to_owned()).or_insert_with(|| plain(lang.as_str()));
                }
            }
            let is_translated = titles.len() > 1;
            let in_title = |text: &str| unmarked(&titles[by]).contains(&unmarked(text));
            let said_others: Vec<_> = others.iter().filter(|other| in_title(&other[by])).collect();
            let meaning = Lang::ALL.iter().map(|lang| {
                let lang = lang.as_str();
                let own = (is_translated || in_title(&plain(by))).then(|| plain(lang));
                let texts = own.into_iter().chain(said_others.iter().map(|other| other[lang].clone()));
                (lang.to_owned(), texts.collect::<Vec<_>>().join(" | "))
            });
            let meaning = meaning.collect();
            let mut categories = subject.categories.clone();
            // This category does not fit the video.
            if dice.percent(10) {
                let one = *dice.pick(&names.categories.keys().collect::<Vec<_>>());
                if !categories.contains(one) {
                    categories.push(one.clone());
                }
            }
            let models = if dice.percent(70) { vec![model.0.clone()] } else { Vec::new() };
            (format!("rough-{at}"), Video { by: by.to_owned(), models, categories, titles, meaning })
        });
        Self::new(videos.collect())
    }
}
