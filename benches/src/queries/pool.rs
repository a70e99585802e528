//! Random titles of each language, from which queries are drawn, and the words in them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use lantern_config::Lang;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::words::{are_alike, fold, key, words};

/// Maximum number of titles per language, so that the memory used doesn't depend on the catalog's size. It is several times the number
/// of queries.
const MAX_TITLES: usize = 5_000;
/// Minimum number of titles that contain a form. Rarer ones may be misspelled.
const FORM_TITLES: usize = 2;

/// A title to draw queries from.
#[derive(Debug)]
pub struct SampledTitle {
    pub title: String,
    /// Other languages in which the video has a title.
    pub others: Vec<Lang>,
}

#[derive(Debug, Default)]
struct Sample {
    titles: Vec<SampledTitle>,
    /// Number of titles from which the sample was drawn.
    seen: usize,
}

/// A uniform random sample of the titles in each language.
#[derive(Debug)]
pub struct Pool {
    by_lang: BTreeMap<Lang, Sample>,
    rng: ChaCha8Rng,
}

impl Pool {
    pub fn new(seed: u64) -> Self {
        Self { by_lang: BTreeMap::new(), rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Offers the titles of a video to the sample.
    pub fn add(&mut self, video: &[(Lang, &str)]) {
        for (lang, title) in video {
            let Sample { titles, seen } = self.by_lang.entry(*lang).or_default();
            *seen += 1;
            let others = || video.iter().map(|(other, _)| *other).filter(|other| other != lang).collect();
            let sampled = || SampledTitle { title: (*title).to_owned(), others: others() };
            if titles.len() < MAX_TITLES {
                titles.push(sampled());
            } else if let Some(place) = titles.get_mut(self.rng.random_range(0..*seen)) {
                *place = sampled();
            }
        }
    }

    pub fn titles(&self, lang: Lang) -> &[SampledTitle] {
        self.by_lang.get(&lang).map_or(&[], |sample| &sample.titles)
    }

    /// Returns the number of titles in all languages, before sampling.
    pub fn seen(&self) -> usize {
        self.by_lang.values().map(|sample| sample.seen).sum()
    }
}

/// Words of titles in one language, folded, with a spelling in lowercase and the number of titles that contain them.
#[derive(Debug, Default)]
pub struct Forms(BTreeMap<String, (String, usize)>);

impl Forms {
    pub fn new(titles: &[SampledTitle]) -> Self {
        let mut forms = Self::default();
        for title in titles {
            let folded: BTreeMap<String, &str> = words(&title.title).map(|word| (fold(word), word)).collect();
            for (folded, word) in folded {
                forms.0.entry(folded).or_insert_with(|| (word.to_lowercase(), 0)).1 += 1;
            }
        }
        forms
    }

    pub fn contains(&self, word: &str) -> bool {
        self.0.contains_key(&fold(word))
    }

    /// Returns other forms of a word that occur in several titles.
    pub fn others(&self, word: &str) -> BTreeSet<&str> {
        let word = fold(word);
        let first = key(&word);
        let near = self.0.range::<str, _>((Bound::Included(first), Bound::Unbounded));
        near.take_while(|(form, _)| form.starts_with(first))
            .filter(|(form, (_, count))| *form != &word && *count >= FORM_TITLES && are_alike(form, &word))
            .map(|(_, (spelling, _))| spelling.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_is_bounded_and_depends_on_seed() {
        let sampled = |seed| {
            let mut pool = Pool::new(seed);
            (0..MAX_TITLES + 500).for_each(|number| pool.add(&[(Lang::En, &number.to_string()), (Lang::De, "x")]));
            assert_eq!((pool.titles(Lang::En).len(), pool.seen()), (MAX_TITLES, 2 * MAX_TITLES + 1_000));
            assert_eq!(pool.titles(Lang::En)[0].others, [Lang::De]);
            assert!(pool.titles(Lang::Fr).is_empty());
            pool.titles(Lang::En).iter().map(|title| title.title.clone()).collect::<Vec<_>>()
        };
        assert_eq!(sampled(1), sampled(1));
        assert_ne!(sampled(1), sampled(2));
        let late = |title: &&String| title.parse::<usize>().unwrap() >= MAX_TITLES;
        assert!((350..=500).contains(&sampled(1).iter().filter(late).count()));
    }

    #[test]
    fn other_forms_occur_in_several_titles() {
        let titles = ["Night markets", "Old Markets", "Market", "Marketing", "Marketplaces", "Marketplaces"];
        let titles = titles.map(|title| SampledTitle { title: title.to_owned(), others: Vec::new() });
        let forms = Forms::new(&titles);
        assert_eq!(forms.others("Market"), ["markets"].into());
        assert!(forms.others("markets").is_empty() && forms.others("night").is_empty());
        assert!(forms.contains("MARKET") && !forms.contains("marke"));
    }
}
