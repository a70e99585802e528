//! Collects the alternatives of a token.

use std::collections::{HashMap, HashSet};

use lantern_config::Lang;

use super::{Alternative, Condition, Origin};

/// Minimum number of languages that have a name.
const MIN_NAME_LANGS: usize = 4;

/// Distinct alternatives, surest first.
#[derive(Default)]
pub struct Alternatives(pub Vec<Alternative>);

impl Alternatives {
    /// Whether most of at least [`MIN_NAME_LANGS`] languages in Latin script begin the word with the same letters, and no category has it as a
    /// label.
    pub fn is_name(&self) -> bool {
        let mut beginnings: HashMap<&str, HashSet<Lang>> = HashMap::new();
        let mut langs = HashSet::new();
        for Alternative { lang, condition, .. } in &self.0 {
            let (Some(lang), Condition::Keys(keys)) = (lang, condition) else { continue };
            let beginning = keys.first().and_then(|key| key.split_once(':')).and_then(|(_, stem)| stem.get(..3));
            if let Some(beginning) = beginning.filter(|_| *lang != Lang::Ja) {
                langs.insert(*lang);
                beginnings.entry(beginning).or_default().insert(*lang);
            }
        }
        let most = beginnings.values().map(HashSet::len).max().unwrap_or_default();
        let has_label = self.0.iter().any(|alternative| alternative.origin == Origin::Label);
        !has_label && langs.len() >= MIN_NAME_LANGS && most * 2 > langs.len()
    }

    /// Adds words with these keys, unless there are none.
    pub fn keys(&mut self, origin: Origin, lang: Option<Lang>, text: &str, mut keys: Vec<String>) {
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        if !keys.is_empty() {
            self.add(Alternative { origin, lang, text: text.to_owned(), condition: Condition::Keys(keys) });
        }
    }

    /// Adds an alternative, unless a surer one has the same condition.
    pub fn add(&mut self, alternative: Alternative) {
        if self.0.iter().all(|known| known.condition != alternative.condition) {
            self.0.push(alternative);
        }
    }
}
