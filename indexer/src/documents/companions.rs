//! Searchable companions of a document's texts ([`lantern_index::text`]).

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use foldhash::fast::RandomState;
use lantern_catalog::documents::{CategoryName, ModelName};
use lantern_config::Lang;
use lantern_index::{
    ByLang, all_names,
    text::{self, names::Spelling},
};

/// Returns all names of linked models, from which companions are made.
pub fn names(models: &[ModelName]) -> impl Iterator<Item = &str> + Clone {
    models.iter().flat_map(|model| all_names(&model.title, &model.names, &model.aliases))
}

/// Returns the names of linked models by language, without those that equal the title.
pub fn shown_names(models: &[ModelName]) -> Vec<ByLang> {
    let shown = |model: &ModelName| {
        model
            .names
            .iter()
            .filter(|(_, name)| **name != model.title)
            .map(|(lang, name)| (lang.clone(), name.clone()))
            .collect()
    };
    models.iter().map(shown).collect()
}

/// Returns the Japanese companions of texts.
pub fn japanese<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().map(text::japanese::companion).filter(|companion| !companion.is_empty()).collect()
}

/// Parses a row's language code.
fn lang_of(code: &str) -> Lang {
    code.parse().unwrap_or(Lang::En)
}

/// Returns the companions of texts for all languages, including empty ones. This is for documents without labels.
pub fn translated(texts: &ByLang) -> ByLang {
    let companion =
        |lang: &Lang| texts.get(lang.as_str()).map_or_else(String::new, |text| text::companion(text, *lang));
    Lang::ALL.iter().map(|lang| (lang.to_string(), companion(lang))).collect()
}

/// Returns the words shared by titles and category labels of the same language, with the same keys as [`Spellings::companions`].
pub fn common(words: &ByLang, tags: &ByLang<Vec<String>>, original: &str) -> ByLang {
    let shared = |(lang, words): (&String, &String)| {
        let labels = tags.get(if lang == "original" { original } else { lang });
        let labels: BTreeSet<&str> = labels.into_iter().flatten().flat_map(|label| label.split(' ')).collect();
        let words: BTreeSet<&str> = words.split(' ').filter(|word| labels.contains(word)).collect();
        (lang.clone(), Vec::from_iter(words).join(" "))
    };
    with_words(words.iter().map(shared))
}

/// Removes empty companions.
pub fn with_words(companions: impl IntoIterator<Item = (String, String)>) -> ByLang {
    companions.into_iter().filter(|(_, companion)| !companion.is_empty()).collect()
}

/// Returns the companions of category titles by language.
pub fn tags(categories: &[Arc<CategoryName>], spelled: &mut Spellings) -> ByLang<Vec<String>> {
    let joined = |lang: &Lang| {
        let titles = categories.iter().filter_map(|category| category.titles.get(lang.as_str()));
        (lang.to_string(), text::rank_below_titles(titles.map(|title| spelled.label(title, *lang))))
    };
    Lang::ALL.iter().map(joined).collect()
}

/// Maximum number of cached spellings per kind and language. The cache is cleared when it is full. The titles of a million videos contain
/// some ten thousand distinct words per language.
const MOST: usize = 50_000;
/// Maximum length of a cached key in bytes. Few words are longer, and long input without spaces must not fill the memory.
const LONGEST: usize = 64;

type SpellingMap<T> = HashMap<String, T, RandomState>;

/// Cache for the spellings of words, labels and names. It pays off because most words in a title also occur in many other titles, and a
/// video has several labels in ten languages.
#[derive(Default)]
pub struct Spellings {
    words: HashMap<Lang, SpellingMap<String>, RandomState>,
    labels: HashMap<Lang, SpellingMap<String>, RandomState>,
    names: SpellingMap<Arc<Spelling>>,
    japanese_names: SpellingMap<Arc<Vec<String>>>,
}

/// Returns the cached spelling of `key`, or computes it with `spell`.
fn cached<T: Clone>(known: &mut SpellingMap<T>, key: &str, spell: impl FnOnce(&str) -> T) -> T {
    if key.len() > LONGEST {
        return spell(key);
    }
    if let Some(found) = known.get(key) {
        return found.clone();
    }
    if known.len() >= MOST {
        known.clear();
    }
    let spelled = spell(key);
    known.insert(key.to_owned(), spelled.clone());
    spelled
}

impl Spellings {
    /// Returns the companions of a text (`original`) and its translations, including empty ones, because the engine rejects searches in a
    /// field that no document has.
    pub fn companions(&mut self, original: &str, lang: &str, translations: &ByLang) -> ByLang {
        let translation = |lang: &Lang| translations.get(lang.as_str()).map_or("", String::as_str);
        let mut out: ByLang =
            Lang::ALL.iter().map(|lang| (lang.to_string(), self.companion(translation(lang), *lang))).collect();
        out.insert("original".to_owned(), self.companion(original, lang_of(lang)));
        out
    }

    /// Returns the companion of a text.
    pub fn companion(&mut self, text: &str, lang: Lang) -> String {
        let known = self.words.entry(lang).or_default();
        text::companion_by(text, |word| cached(known, word, |word| text::companion_of_word(word, lang)))
    }

    fn label(&mut self, label: &str, lang: Lang) -> String {
        cached(self.labels.entry(lang).or_default(), label, |label| text::companion(label, lang))
    }

    /// Returns the companions of names.
    pub fn names<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let spell = |name: &str| Arc::new(text::names::spell(name));
        let spelled: Vec<_> = names.map(|name| cached(&mut self.names, name, spell)).collect();
        text::names::joined(spelled.iter().map(|spelling| &**spelling))
    }

    /// Returns the Japanese companions of names.
    pub fn japanese_names<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
        for name in names {
            let spell = |name: &str| Arc::new(text::names::japanese_spellings(name));
            let spelled = cached(&mut self.japanese_names, name, spell);
            out.extend(spelled.iter().filter(|part| seen.insert((*part).clone())).cloned());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_cached_except_for_long_words() {
        let (mut spelled, long) = (Spellings::default(), "ä".repeat(LONGEST));
        for text in ["Strandspaziergänge am Meer", "Am Meer", &long, &long] {
            assert_eq!(spelled.companion(text, Lang::De), text::companion(text, Lang::De));
        }
        let words: BTreeSet<&str> = spelled.words[&Lang::De].keys().map(String::as_str).collect();
        assert_eq!(words, ["Am", "Meer", "Strandspaziergänge", "am"].into());
    }
}
