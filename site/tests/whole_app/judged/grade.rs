//! Grades the corpus videos for a drawn query by their titles and tags, independently of the search results.
//!
//! * 3: the title is the one typed, or contains all of several words.
//! * 2: the title contains the only word, or all words of a typed title; or title and tags together contain all of several words.
//! * 1: the tags alone contain all words; or the title contains one of two subjects.
//!
//! A title in a language that the visitor doesn't read counts one less, but at least 1, if it means the same.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Lang;

use super::{
    corpus::Corpus,
    words::{Concept, Text},
};

/// Meaning of a query.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    pub words: Vec<Concept>,
    /// The title that the query was made from, in full or as its first half.
    pub title: Option<String>,
    /// Whether a video with only some of the words is relevant.
    pub partly: bool,
    /// The language of the words, if it isn't the visitor's.
    pub other: Option<Lang>,
}

struct Page {
    id: i64,
    by: Lang,
    /// Each title as written, and normalized for comparison.
    titles: BTreeMap<Lang, (String, Text)>,
    /// What the titles mean, by language.
    meaning: BTreeMap<Lang, Text>,
    /// Names of the video's models and labels of its categories.
    tags: Text,
}

/// Everything that the rule compares, for visitors with one language.
pub struct Judge {
    lang: Lang,
    pages: Vec<Page>,
}

impl Judge {
    pub fn new(corpus: &Corpus, lang: Lang) -> Self {
        let known = |lang: &String| lang.parse::<Lang>().unwrap();
        let name = |dir: &String| {
            let model = &corpus.names.models[dir];
            Text::new(&format!("{} {}", model.title, model.aliases.join(" ")))
        };
        let label = |dir: &String| Text::new(&corpus.names.categories[dir][lang.as_str()]);
        let pages = corpus.numbered().map(|(id, video)| Page {
            id,
            by: known(&video.by),
            titles: video.titles.iter().map(|(of, title)| (known(of), (title.clone(), Text::new(title)))).collect(),
            meaning: video.meaning.iter().map(|(of, text)| (known(of), Text::new(text))).collect(),
            tags: video.categories.iter().map(label).chain(video.models.iter().map(name)).collect(),
        });
        Self { lang, pages: pages.collect() }
    }

    /// Returns grades by video id.
    pub fn grades(&self, sought: &Sought) -> BTreeMap<i64, u32> {
        self.pages.iter().map(|page| (page.id, self.grade(page, sought))).filter(|(_, grade)| *grade > 0).collect()
    }

    fn grade(&self, page: &Page, sought: &Sought) -> u32 {
        let is_seen = |lang: Lang| lang == self.lang || lang == page.by || Some(lang) == sought.other;
        let seen: Vec<_> = page.titles.iter().filter(|(lang, _)| is_seen(**lang)).collect();
        if sought.title.is_some() && seen.iter().any(|(_, (title, _))| Some(title) == sought.title.as_ref()) {
            return 3;
        }
        let in_title = |word: &Concept| seen.iter().any(|(lang, (_, text))| word.is_in(text, **lang));
        let read = sought.other.unwrap_or(self.lang);
        let in_meaning =
            |word: &Concept| in_title(word) || page.meaning.get(&read).is_some_and(|text| word.is_in(text, read));
        let meant = self.grade_words(page, sought, in_meaning);
        self.grade_words(page, sought, in_title).max(meant.saturating_sub(1).max(meant.min(1)))
    }

    /// Grades a page by which words its title contains.
    fn grade_words(&self, page: &Page, sought: &Sought, in_title: impl Fn(&Concept) -> bool) -> u32 {
        let all = sought.words.len();
        let titled = sought.words.iter().filter(|word| in_title(word)).count();
        let known = sought.words.iter().filter(|word| in_title(word) || word.is_in(&page.tags, self.lang)).count();
        match titled {
            titled if titled == all => {
                if all > 1 && sought.title.is_none() {
                    3
                } else {
                    2
                }
            }
            1.. if known == all => 2,
            0 if known == all => 1,
            1.. if sought.partly => 1,
            _ => 0,
        }
    }
}

#[test]
fn grades_follow_from_titles_and_tags() {
    let corpus = Corpus::tidy();
    let judge = Judge::new(&corpus, Lang::En);
    let lexicon =
        super::words::Lexicon { stop: BTreeSet::new(), forms: vec!["beach beaches".to_owned()], spellings: Vec::new() };
    let graded = |words: &[&str], change: fn(Sought) -> Sought| {
        let words = words.iter().map(|word| Concept::of(word, &lexicon)).collect();
        let grades = judge.grades(&change(Sought { words, ..Sought::default() }));
        grades.into_iter().map(|(id, grade)| (corpus.name(id).to_owned(), grade)).collect::<Vec<_>>()
    };
    let of = |names: &[(&str, u32)]| names.iter().map(|(name, grade)| ((*name).to_owned(), *grade)).collect::<Vec<_>>();
    // Titles in other languages that mean the same are worth less.
    let beach = graded(&["beach"], |all| all);
    assert_eq!(beach[..3], of(&[("beach-walk", 2), ("hidden-beaches", 2), ("strandkorb", 1)]));
    assert!(beach[3..].iter().all(|(_, grade)| *grade == 1), "{beach:?}");
    assert_eq!(graded(&["beach", "sunrise"], |all| all), of(&[("beach-walk", 3)]));
    assert_eq!(graded(&["beach", "inés"], |all| all), of(&[("hidden-beaches", 2)]));
    assert_eq!(graded(&["fashion"], |all| all).iter().filter(|(_, grade)| *grade == 1).count(), 4);
    let partly = |all| Sought { partly: true, ..all };
    assert_eq!(graded(&["sunrise", "bleach"], partly), of(&[("beach-walk", 1), ("bleach", 1)]));
    let titled = |all| Sought { title: Some("Walking on the beach at sunrise".to_owned()), ..all };
    assert_eq!(graded(&["beach"], titled)[..3], of(&[("beach-walk", 3), ("hidden-beaches", 2), ("strandkorb", 1)]));
    let german = |all| Sought { other: Some(Lang::De), ..all };
    let rough = Corpus::rough();
    let judge = Judge::new(&rough, Lang::De);
    let snow = judge.grades(&Sought { words: vec![Concept::alone("schneit")], ..Sought::default() });
    for (id, video) in rough.numbered() {
        let snows = video.meaning["de"].contains("schneit");
        let reads = [&video.by, "de"].into_iter().filter_map(|lang| video.titles.get(lang));
        let is_read = reads.into_iter().any(|title| title.to_lowercase().contains("schneit"));
        let grade = if is_read { Some(2) } else { snows.then_some(1) };
        assert_eq!(snow.get(&id).copied(), grade, "{video:?}");
    }
    assert!(snow.values().any(|grade| *grade == 1) && snow.values().any(|grade| *grade == 2));
    assert_eq!(
        (graded(&["nachtmarkt"], |all| all), graded(&["nachtmarkt"], german)),
        (Vec::new(), of(&[("night-market", 2)]))
    );
}
