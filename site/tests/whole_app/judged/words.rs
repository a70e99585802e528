//! Splits titles into words and tests whether a text contains a word, using the table in `words.toml` and plain comparison, independently
//! of the app's code.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Lang;
use serde::Deserialize;

/// Stop words, forms and spellings in a language.
#[derive(Debug, Deserialize)]
pub struct Lexicon {
    pub stop: BTreeSet<String>,
    pub forms: Vec<String>,
    #[serde(default)]
    pub spellings: Vec<String>,
}

pub type Lexicons = BTreeMap<Lang, Lexicon>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Kanji,
    Katakana,
    Hiragana,
    Letters,
}

pub fn script(c: char) -> Option<Script> {
    match c {
        '\u{3041}'..='\u{309F}' => Some(Script::Hiragana),
        '\u{30A1}'..='\u{30FA}' | 'ー' => Some(Script::Katakana),
        '\u{4E00}'..='\u{9FFF}' | '々' => Some(Script::Kanji),
        c if c.is_alphanumeric() => Some(Script::Letters),
        _ => None,
    }
}

pub fn is_katakana(word: &str) -> bool {
    word.chars().all(|c| script(c) == Some(Script::Katakana))
}

pub fn is_japanese(word: &str) -> bool {
    word.chars().any(|c| script(c).is_some_and(|script| script != Script::Letters))
}

pub fn has_cyrillic(word: &str) -> bool {
    word.chars().any(|c| matches!(c, '\u{400}'..='\u{4FF}'))
}

/// Splits a text into runs in one script, in lowercase.
fn runs(text: &str) -> Vec<String> {
    let (mut runs, mut last) = (Vec::<String>::new(), None);
    for c in text.to_lowercase().chars() {
        let script = script(c);
        match runs.last_mut() {
            Some(run) if script.is_some() && script == last => run.push(c),
            _ if script.is_some() => runs.push(c.to_string()),
            _ => {}
        }
        last = script;
    }
    runs
}

/// Returns the searchable words in a text. They have at least three letters or, in Japanese, at least two kanji or katakana.
pub fn words(text: &str, lexicon: &Lexicon) -> Vec<String> {
    let plain: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with('#')).collect();
    runs(&plain.join(" ")).into_iter().filter(|word| is_word(word) && !lexicon.stop.contains(word)).collect()
}

fn is_word(word: &str) -> bool {
    let count = word.chars().count();
    match word.chars().next().and_then(script) {
        Some(Script::Kanji | Script::Katakana) => count >= 2,
        Some(Script::Letters) => count >= 3 && word.chars().all(char::is_alphabetic),
        _ => false,
    }
}

/// A text with a space around each of its runs.
#[derive(Debug, Clone)]
pub struct Text(String);

impl Text {
    pub fn new(text: &str) -> Self {
        // In capitals, ß is written as SS.
        Self(format!(" {} ", runs(text).join(" ").replace('ß', "ss")))
    }
}

impl FromIterator<Text> for Text {
    fn from_iter<I: IntoIterator<Item = Text>>(texts: I) -> Self {
        Self(texts.into_iter().map(|text| text.0).collect())
    }
}

/// A word with its equivalents.
#[derive(Debug, Clone)]
pub struct Concept(Vec<Text>);

impl Concept {
    /// The word without its equivalents.
    pub fn alone(word: &str) -> Self {
        Self(vec![Text::new(word)])
    }

    /// The word with its other forms and spellings.
    pub fn of(word: &str, lexicon: &Lexicon) -> Self {
        let mut forms = vec![Text::new(word)];
        for group in lexicon.forms.iter().chain(&lexicon.spellings) {
            if group.split(' ').any(|form| form.to_lowercase() == word) {
                forms.extend(group.split(' ').map(Text::new));
            }
        }
        Self(forms)
    }

    /// Whether a text written in `lang` contains the word. Japanese has no spaces, so a run that begins or ends with the word counts as
    /// containing it. A German or Dutch compound contains its last part.
    pub fn is_in(&self, text: &Text, lang: Lang) -> bool {
        self.0.iter().any(|Text(form)| {
            let word = form.trim_matches(' ');
            if word.is_empty() {
                return false;
            }
            if is_japanese(word) {
                // A single kanji begins many words with other meanings.
                let begins = word.chars().count() > 1 && text.0.contains(form.trim_end());
                return begins || text.0.contains(form.trim_start());
            }
            let compounds = matches!(lang, Lang::De | Lang::Nl) && word.chars().count() >= 3;
            text.0.contains(form.as_str())
                || compounds && text.0.match_indices(form.trim_start()).any(|(at, _)| is_compound_part(&text.0[..at]))
        })
    }
}

/// Whether the first part of a compound is long enough to be a word.
fn is_compound_part(before: &str) -> bool {
    before.chars().rev().take_while(|c| *c != ' ').count() >= 3
}

#[test]
fn text_contains_word_if_it_has_one_of_its_forms() {
    let lexicon = |forms: &str| Lexicon {
        stop: ["der".to_owned()].into(),
        forms: vec![forms.to_owned()],
        spellings: vec!["温泉 おんせん onsen".to_owned()],
    };
    let holds =
        |word: &str, text: &str, lang| Concept::of(word, &lexicon("Markt Märkte")).is_in(&Text::new(text), lang);
    assert!(holds("märkte", "AUF DEM MARKT", Lang::De) && holds("markt", "Flohmärkte!", Lang::De));
    assert!(!holds("markt", "Marktplatz", Lang::De) && !holds("märkte", "Flohmärkte", Lang::En));
    assert!(holds("onsen", "箱根温泉の夏旅行", Lang::Ja) && !holds("京都", "東京駅", Lang::Ja));
    assert!(!holds("mar", "marche", Lang::Fr) && holds("straße", "DIE STRASSE", Lang::De));
    assert_eq!(words("Der Markt, 4K #tag 夜市を", &lexicon("a b")), ["markt", "夜市"]);
}
